package import Publishing

extension Configuration {
    /// Warnings about settings that work but help an attacker. Pure.
    package var warnings: [ConfigurationWarning] {
        var warnings = ConfigurationWarning.warnings(of: broker)
        if !namesSigning,
            let warning = ConfigurationWarning.unsigned(
                "signing.key-file", at: broker,
                remedy: "give it the key that beacon-matcher gateway-key prints for this gateway")
        {
            warnings.append(warning)
        }
        if signingKey != nil, !remoteEars.isEmpty {
            warnings.append(
                ConfigurationWarning(
                    key: "signing.remote-ears", found: "is true",
                    meaning: "what nodes are said to hear is signed as this gateway's own word, and they sign nothing: "
                        + "whoever publishes on their topics invents people, the broker too",
                    remedy: "let the access list give each node its own topics alone, or leave remote-ears out"))
        }
        return warnings
    }
}
