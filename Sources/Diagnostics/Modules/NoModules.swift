package import BeaconModel

/// Error for a command that finds no module to examine.
package struct NoModules: OperatorError {
    package init() {
    }
    package var what: String { "no module is plugged in" }
    package var meaning: String? {
        "no serial port has a USB interface that modules are known to have, or one that was named"
    }
    package var remedy: String? { "plug one in and see `beacon-gateway modules`, or name its port with --port" }
    package var exitStatus: ExitStatus { .unavailable }
}
