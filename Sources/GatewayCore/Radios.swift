package import BeaconModel
package import HCI
package import RecordContract

/// What is known of all adapters of this gateway. Pure: time arrives by a clock that nobody sets.
package struct Radios: Sendable {
    package private(set) var reports: [RadioReport]
    /// Since when each adapter has heard nothing, and been deaf.
    private var silentSince: [Duration]
    private var deafSince: [Duration?]

    package init(names: [String]) {
        reports = names.map { RadioReport(name: $0) }
        silentSince = names.map { _ in .zero }
        deafSince = names.map { _ in nil }
    }

    /// How the gateway as a whole hears.
    package var hearing: GatewayStatus.Hearing {
        let conditions = reports.map { $0.state?.condition ?? .starting }
        if conditions.contains(.hearing) { return .hearing }
        if conditions.contains(.quiet) { return .quiet }
        return conditions.contains(.starting) ? .off : .deaf
    }

    /// Those that have been opened.
    package var opened: [Adapter] { reports.compactMap { $0.state?.mode == nil ? nil : $0.state?.adapter } }

    /// Whether each has been opened or has failed to.
    package var haveAllSpoken: Bool { reports.allSatisfy { $0.state?.mode != nil || $0.state?.condition == .deaf } }

    package mutating func set(_ state: RadioState, of index: Int, at time: Timestamp, now: Duration) {
        let before = reports[index].state
        reports[index].state = state
        if state.condition != .deaf {
            // A silence is counted anew by a radio that was repaired.
            if deafSince[index] != nil { silentSince[index] = now }
            deafSince[index] = nil
        } else if deafSince[index] == nil {
            deafSince[index] = now
        }
        if before?.condition != state.condition || before?.reason != state.reason { reports[index].since = time }
    }

    package mutating func heard(by index: Int, now: Duration) { silentSince[index] = now }

    /// How long an adapter has heard nothing although it could; `nil` for one that is deaf or wasn't opened.
    package func silence(of index: Int, now: Duration) -> Duration? {
        switch reports[index].state?.condition {
        case .hearing, .quiet: now - silentSince[index]
        case .starting, .deaf, nil: nil
        }
    }

    /// How long an adapter has been deaf; `nil` for one that isn't.
    package func deafness(of index: Int, now: Duration) -> Duration? { deafSince[index].map { now - $0 } }
}

/// How one adapter is, and since when.
package struct RadioReport: Sendable {
    /// As the configuration names it.
    package var name: String
    package var state: RadioState?
    package var since: Timestamp?

    /// The scan commands in use, or `off`.
    package var scan: String {
        switch state?.condition {
        case .hearing?, .quiet?: state?.mode?.rawValue ?? "off"
        case .starting?, .deaf?, nil: "off"
        }
    }

    /// The number that it has, or had last; `nil` for one that has never been there.
    package var adapter: String? { state.flatMap { $0.mode == nil ? nil : $0.adapter.description } }

    package var status: GatewayStatus.Adapter {
        GatewayStatus.Adapter(
            name: name, adapter: adapter, state: (state?.condition ?? .starting).rawValue,
            reason: state?.reason?.rawValue, error: state?.error?.what, since: since?.rfc3339)
    }
}
