import GatewayCore
import Glibc

extension LocalSocketSetting {
    /// Returns the path at which a gateway listens; `nil` if it does not.
    func path(stateDirectory: String) -> String? {
        let paths = paths(stateDirectory: stateDirectory)
        // The runtime directory is there if a service manager has made it.
        if self == .automatic, access(Self.runtimeDirectory, W_OK | X_OK) != 0 { return paths.last }
        return paths.first
    }
}
