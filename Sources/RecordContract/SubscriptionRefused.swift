package import BeaconModel

/// A subscription that the broker does not allow this user.
package struct SubscriptionRefused: OperatorError, Equatable {
    package var broker: String
    package var filter: String

    package init(broker: String, filter: String) {
        self.broker = broker
        self.filter = filter
    }

    package var what: String { "broker \(broker) refused the subscription to \(filter)" }
    package var remedy: String? { "allow this user to read these topics in the broker's access list" }
    package var exitStatus: ExitStatus { .permission }
}
