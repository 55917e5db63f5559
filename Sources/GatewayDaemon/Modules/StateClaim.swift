import BeaconModel
import Glibc
import SystemIO

/// Exclusive use of a gateway's state directory while a user's command changes its modules.
package enum StateClaim {
    /// Locks the directory until the end of the process.
    ///
    /// - Throws: `GatewayIsRunning` or `UnwritableState`.
    package static func take(_ directory: String) throws {
        do {
            try StateDirectory(path: directory).lock()
        } catch is StateDirectoryInUse {
            throw GatewayIsRunning(directory: directory)
        } catch let error as StateDirectoryError {
            throw UnwritableState(directory: directory, owner: owner(of: directory), error: error.error)
        }
    }

    private static func owner(of directory: String) -> String? {
        var status = stat()
        guard stat(directory, &status) == 0, let entry = getpwuid(status.st_uid), let name = entry.pointee.pw_name
        else { return nil }
        return String(cString: name)
    }
}

/// A running gateway keeps these modules provisioned itself.
struct GatewayIsRunning: OperatorError {
    var directory: String

    var what: String { "a gateway is running with the state directory \(directory)" }
    var meaning: String? { "it uses the modules' ports and maintains the module bindings" }
    var remedy: String? {
        "reload its inventory (sudo systemctl reload beacon-gateway, or SIGHUP), or stop it first"
    }
    var exitStatus: ExitStatus { .unavailable }
}

/// The user may not write to the state directory, so the gateway would not learn of the changes to its modules.
struct UnwritableState: OperatorError {
    var directory: String
    var owner: String?
    var error: SystemError

    var what: String { error.what }
    var meaning: String? { "the gateway would not know the bindings of modules to \"any\" rows" }
    var remedy: String? {
        let command = owner.map { "sudo -u \($0) beacon-gateway provision ..." } ?? "sudo beacon-gateway provision ..."
        return
            "run the command as a user who can write there: \(command); or specify the gateway's own directory with "
            + "--config or --state"
    }
    var exitStatus: ExitStatus {
        error.errorNumber == EACCES || error.errorNumber == EPERM ? .permission : .inputOutput
    }
}
