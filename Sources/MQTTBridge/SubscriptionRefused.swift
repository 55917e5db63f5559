public import BeaconModel

/// The broker doesn't let this user read there.
public struct SubscriptionRefused: OperatorError {
    public var broker: String
    public var filter: String

    public init(broker: String, filter: String) {
        self.broker = broker
        self.filter = filter
    }

    public var what: String { "broker \(broker) refuses the subscription to \(filter)" }
    public var remedy: String? { "let this user read there in the broker's access list" }
    public var exitStatus: ExitStatus { .permission }
}
