import Exposition
package import Publishing

extension Configuration {
    /// Warnings about settings that work but help an attacker. Pure.
    package var warnings: [ConfigurationWarning] {
        var warnings = ConfigurationWarning.warnings(of: broker)
        if !namesSigning,
            let warning = ConfigurationWarning.unsigned(
                "signing.key-file", at: broker,
                remedy: "set it to the key that beacon-matcher gateway-key prints for this gateway")
        {
            warnings.append(warning)
        }
        if signingKey != nil, !remoteReceivers.isEmpty {
            warnings.append(
                ConfigurationWarning(
                    key: "signing.remote-receivers", found: "is true",
                    meaning: "nodes do not sign what they receive, and it is signed in the name of this gateway: "
                        + "whoever can publish on their topics, including the broker, can forge sightings",
                    remedy: "let the access list give each node only its own topics, or remove remote-receivers"))
        }
        if let warning = metrics?.warning { warnings.append(warning) }
        return warnings
    }
}
