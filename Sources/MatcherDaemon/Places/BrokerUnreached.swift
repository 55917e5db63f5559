import BeaconModel

/// The broker did not confirm a subscription in time.
struct BrokerUnreached: OperatorError {
    var what: String { "the broker was not reached" }
    var remedy: String? { "check [mqtt] in the configuration, and that the broker runs" }
    var exitStatus: ExitStatus { .unavailable }
}
