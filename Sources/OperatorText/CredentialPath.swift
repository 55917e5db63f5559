/// Location of a secret: the path of a file, or `credential:NAME` for a credential from the service manager
/// (systemd.exec(5), LoadCredential).
package enum CredentialPath {
    private static let prefix = "credential:"

    package static func isCredential(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// Returns the name in `credential:NAME`; `nil` for other paths.
    package static func name(in text: String) -> String? {
        isCredential(text) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// - Parameter directory: the directory of this service's credentials; `nil` if it was given none.
    /// - Returns: the path of the file.
    package static func resolve(_ text: String, directory: String?) -> String {
        guard text.hasPrefix(prefix) else { return text }
        let name = text.dropFirst(prefix.count)
        guard let directory, !name.isEmpty, !name.contains("/"), name != "..", name != "." else {
            return "$CREDENTIALS_DIRECTORY/\(name)"
        }
        return directory + "/" + name
    }
}
