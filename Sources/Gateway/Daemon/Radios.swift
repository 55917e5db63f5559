import BeaconModel
import BlueZScanner
import MQTTBridge

/// What is known of all adapters of this gateway. Pure.
struct Radios: Sendable {
    private(set) var reports: [RadioReport]
    /// Seconds in which nothing was heard, by a clock that nobody sets: each adapter says so once a second.
    private var silentSeconds: [Int]

    init(names: [String]) {
        reports = names.map { RadioReport(name: $0) }
        silentSeconds = names.map { _ in 0 }
    }

    /// How the gateway as a whole hears.
    var hearing: GatewayStatus.Hearing {
        let conditions = reports.map { $0.state?.condition ?? .starting }
        if conditions.contains(.hearing) { return .hearing }
        if conditions.contains(.quiet) { return .quiet }
        return conditions.contains(.starting) ? .off : .deaf
    }

    mutating func set(_ state: RadioState, of index: Int, at time: Timestamp) {
        let before = reports[index].state
        reports[index].state = state
        guard before?.condition != state.condition || before?.reason != state.reason else { return }
        reports[index].since = time
        // A silence is counted anew by a radio that was repaired.
        if before?.condition == .deaf { silentSeconds[index] = 0 }
    }

    mutating func heard(by index: Int) { silentSeconds[index] = 0 }

    /// - Returns: how long the adapter has heard nothing.
    mutating func silence(of index: Int) -> Duration {
        silentSeconds[index] += 1
        return .seconds(silentSeconds[index])
    }

    /// The number that an adapter has now, once it is open.
    func adapter(of index: Int) -> Adapter? {
        guard let state = reports[index].state, state.condition != .starting else { return nil }
        return state.adapter
    }
}

/// How one adapter is, and since when.
struct RadioReport: Sendable {
    /// As the configuration names it.
    var name: String
    var state: RadioState?
    var since: Timestamp?

    /// The scan commands in use, or `off`.
    var scan: String {
        switch state?.condition {
        case .hearing?, .quiet?: state?.mode?.rawValue ?? "off"
        case .starting?, .deaf?, nil: "off"
        }
    }

    var status: GatewayStatus.Adapter {
        GatewayStatus.Adapter(
            name: name, adapter: state?.adapter.description, state: (state?.condition ?? .starting).rawValue,
            reason: state?.reason?.rawValue, since: since?.rfc3339)
    }
}
