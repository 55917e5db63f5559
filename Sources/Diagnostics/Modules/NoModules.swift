package import BeaconModel

/// Error for a command that finds no module to examine.
package struct NoModules: OperatorError {
    package init() {
    }
    package var what: String { "no module is connected" }
    package var meaning: String? {
        "no serial port has a known USB interface of a module, and none was specified"
    }
    package var remedy: String? {
        "connect one and check with `beacon-gateway modules`, or specify its port with --port"
    }
    package var exitStatus: ExitStatus { .unavailable }
}
