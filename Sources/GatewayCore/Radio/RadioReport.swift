package import BeaconModel
package import HCI
package import RecordContract

/// The condition of one adapter, and since when.
package struct RadioReport: Sendable {
    /// Name of the adapter in the configuration.
    package var name: String
    package var state: RadioState?
    package var since: Timestamp?

    /// - Parameter state: `nil`: nothing is known of the adapter yet.
    package init(name: String, state: RadioState? = nil, since: Timestamp? = nil) {
        self.name = name
        self.state = state
        self.since = since
    }

    /// The scan commands in use, or `off`.
    package var scan: String {
        switch state?.condition {
        case .hearing?, .quiet?: state?.mode?.rawValue ?? "off"
        case .starting?, .deaf?, nil: "off"
        }
    }

    /// Current or last adapter number; `nil` if the adapter has never been present.
    package var adapter: String? { state.flatMap { $0.mode == nil ? nil : $0.adapter.description } }

    package var status: GatewayStatus.Adapter {
        GatewayStatus.Adapter(
            name: name, adapter: adapter, state: (state?.condition ?? .starting).rawValue,
            reason: state?.reason?.rawValue, error: state?.error?.what, since: since?.rfc3339)
    }
}
