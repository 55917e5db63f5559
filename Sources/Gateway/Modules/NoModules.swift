import BeaconModel

/// There is nothing to look at.
struct NoModules: OperatorError {
    var what: String { "no module is plugged in" }
    var meaning: String? { "no serial port has a USB interface that modules are known to have, or one that was named" }
    var remedy: String? { "plug one in and see `beacon-gateway modules`, or name its port with --port" }
    var exitStatus: ExitStatus { .unavailable }
}
