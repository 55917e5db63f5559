package import BeaconModel

/// Failure to listen on an address.
package struct ListenError: OperatorError {
    package var address: ListenAddress
    /// Key of the configuration that has the address.
    package var setting: String
    package var reason: String

    package init(address: ListenAddress, setting: String, reason: String) {
        self.address = address
        self.setting = setting
        self.reason = reason
    }

    package var what: String { "cannot listen on \(address.text): \(reason)" }
    package var remedy: String? {
        address.isSocket
            ? "set another path in \(setting), in a directory that exists, or stop the program that listens there"
            : "set another address in \(setting), or stop the program that listens there"
    }
    package var exitStatus: ExitStatus { .unavailable }
}
