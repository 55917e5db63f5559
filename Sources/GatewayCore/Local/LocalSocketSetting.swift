package import OperatorText

/// Where a gateway listens for commands on its own machine.
package enum LocalSocketSetting: Equatable, Sendable {
    /// In the runtime directory of the service, or else in the state directory.
    case automatic
    case off
    case path(String)

    /// Runtime directory of the service.
    package static let runtimeDirectory = "/run/beacon-gateway"
    private static let name = "control.sock"
    /// Maximum length of a path in bytes: the server accepts no longer one.
    package static let longestPath = 103

    /// Returns the paths at which the socket can be, the first choice first.
    package func paths(stateDirectory: String) -> [String] {
        switch self {
        case .automatic: [Self.runtimeDirectory + "/" + Self.name, stateDirectory + "/" + Self.name]
        case .off: []
        case .path(let path): [path]
        }
    }

    package static func read(_ root: TOMLReader, locate: (String) -> String) -> LocalSocketSetting {
        let form = "the path of a Unix socket, at most \(longestPath) bytes with its directory, or \"off\""
        return root.parsed("local-socket", allowed: form) { text -> LocalSocketSetting? in
            if text == "off" { return .off }
            let path = locate(text)
            guard !text.isEmpty, !CredentialPath.isCredential(text), path.utf8.count <= longestPath,
                !path.hasSuffix("/"), path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { return nil }
            return .path(path)
        } ?? .automatic
    }
}
