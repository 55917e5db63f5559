package import BeaconModel

/// A subscription that the broker does not allow this user.
package struct SubscriptionRefused: OperatorError {
    package var broker: String
    package var filter: String

    package init(broker: String, filter: String) {
        self.broker = broker
        self.filter = filter
    }

    package var what: String { "broker \(broker) refuses the subscription to \(filter)" }
    package var remedy: String? { "let this user read there in the broker's access list" }
    package var exitStatus: ExitStatus { .permission }
}
