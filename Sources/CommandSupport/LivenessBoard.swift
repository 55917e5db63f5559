import SystemIO
package import Watching

/// The latest liveness of this program, for everything that is asked about it: the service manager, `/healthz`,
/// `status`. Safe to use from any thread.
package final class LivenessBoard: Sendable {
    private struct Entry: Sendable {
        var liveness = Liveness.unknown
        var vitality = Vitality.starting
        var readiness = Vitality.starting
        var at: ContinuousClock.Instant
    }

    private let entry: LockedValue<Entry>

    /// Time after which an observation says nothing about the present: the program observes itself every 2 s.
    package static let staleAfter: Duration = .seconds(15)

    package init(now: ContinuousClock.Instant = .now) { entry = LockedValue(Entry(at: now)) }

    /// - Parameter readiness: the vitality that decides when the program is ready; `nil`: the same.
    package func set(
        _ liveness: Liveness, _ vitality: Vitality, readiness: Vitality? = nil,
        at time: ContinuousClock.Instant = .now
    ) {
        let new = Entry(liveness: liveness, vitality: vitality, readiness: readiness ?? vitality, at: time)
        entry.withLock { $0 = new }
    }

    /// The present liveness.
    package var liveness: Liveness { liveness(at: .now) }

    package func liveness(at now: ContinuousClock.Instant) -> Liveness {
        let entry = entry.withLock { $0 }
        guard let reason = Self.staleness(entry, now) else { return entry.liveness }
        let state = Working.failing(what: reason, remedy: "restart the program")
        return Liveness(receiving: state, storing: state, delivering: state)
    }

    /// What a new start would be good for at present.
    package func vitality(at now: ContinuousClock.Instant) -> Vitality {
        let entry = entry.withLock { $0 }
        return Self.staleness(entry, now).map { .stuck($0) } ?? entry.vitality
    }

    package func readiness(at now: ContinuousClock.Instant) -> Vitality {
        let entry = entry.withLock { $0 }
        return Self.staleness(entry, now).map { .stuck($0) } ?? entry.readiness
    }

    private static func staleness(_ entry: Entry, _ now: ContinuousClock.Instant) -> String? {
        let age = now - entry.at
        guard age > staleAfter else { return nil }
        return "the program has not looked at its own work for \(age.components.seconds) s"
    }
}
