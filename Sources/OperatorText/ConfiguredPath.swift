/// Paths in a configuration file. Pure.
package enum ConfiguredPath {
    /// - Parameters:
    ///   - text: an absolute path, a path relative to the configuration's directory, or `credential:NAME`.
    ///   - file: the configuration file.
    /// - Returns: the path; a credential is returned unchanged.
    package static func resolve(_ text: String, in file: String) -> String {
        guard !text.hasPrefix("/"), !CredentialPath.isCredential(text), let slash = file.lastIndex(of: "/") else {
            return text
        }
        return file[...slash] + text
    }
}
