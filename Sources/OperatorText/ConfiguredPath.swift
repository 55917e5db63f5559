/// A path as a configuration file means it. Pure.
package enum ConfiguredPath {
    /// - Parameters:
    ///   - text: an absolute path, one that begins at the configuration's directory, or `credential:NAME`.
    ///   - file: the configuration file.
    /// - Returns: the path; a credential as it is.
    package static func resolve(_ text: String, in file: String) -> String {
        guard !text.hasPrefix("/"), !CredentialPath.isCredential(text), let slash = file.lastIndex(of: "/") else {
            return text
        }
        return file[...slash] + text
    }
}
