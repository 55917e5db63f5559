import BeaconModel
import HCI
import RecordContract

/// The states of all adapters of this gateway. Pure; times come from a monotonic clock.
struct Radios: Sendable {
    private(set) var reports: [RadioReport]
    /// Times since which each adapter has heard nothing, and since which it has been deaf.
    private var silentSince: [Duration]
    private var deafSince: [Duration?]
    /// Reports received by each adapter.
    private(set) var reportCounts: [UInt64]

    init(names: [String]) {
        reports = names.map { RadioReport(name: $0) }
        silentSince = names.map { _ in .zero }
        deafSince = names.map { _ in nil }
        reportCounts = names.map { _ in 0 }
    }

    /// The hearing of the gateway as a whole.
    var hearing: GatewayStatus.Hearing {
        let conditions = reports.map { $0.state?.condition ?? .starting }
        if conditions.contains(.hearing) { return .hearing }
        if conditions.contains(.quiet) { return .quiet }
        return conditions.contains(.starting) ? .off : .deaf
    }

    /// Adapters that have been opened.
    var opened: [Adapter] { reports.compactMap { $0.state?.mode == nil ? nil : $0.state?.adapter } }

    /// Whether each adapter has been opened or has failed to open.
    var haveAllSpoken: Bool { reports.allSatisfy { $0.state?.mode != nil || $0.state?.condition == .deaf } }

    mutating func set(_ state: RadioState, of index: Int, at time: Timestamp, now: Duration) {
        let before = reports[index].state
        reports[index].state = state
        if state.condition != .deaf {
            // A repaired radio starts a new silence.
            if deafSince[index] != nil { silentSince[index] = now }
            deafSince[index] = nil
        } else if deafSince[index] == nil {
            deafSince[index] = now
        }
        if before?.condition != state.condition || before?.reason != state.reason { reports[index].since = time }
    }

    mutating func heard(by index: Int, now: Duration) { silentSince[index] = now }

    mutating func count(_ reports: UInt64, of index: Int) { reportCounts[index] &+= reports }

    /// Returns how long an adapter has heard nothing although it could; `nil` if it is deaf or has not been opened.
    func silence(of index: Int, now: Duration) -> Duration? {
        switch reports[index].state?.condition {
        case .hearing, .quiet: now - silentSince[index]
        case .starting, .deaf, nil: nil
        }
    }

    /// Returns how long an adapter has been deaf; `nil` if it is not deaf.
    func deafness(of index: Int, now: Duration) -> Duration? { deafSince[index].map { now - $0 } }
}
