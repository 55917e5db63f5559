import BeaconModel
import SystemIO
import Watching

/// How receiving and storing go, for the liveness. Safe to use from any thread.
final class MatcherProgress: Sendable {
    private struct State: Sendable {
        var role = MatcherObservation.Role.starting(complaint: nil)
        var broker = MatcherObservation.Broker.away(complaint: nil, isFirst: true)
        /// The last failure, and whether it was one of a write.
        var failure: (store: MatcherObservation.Store, isOfWrite: Bool)?
        var writingSince: ContinuousClock.Instant?
        var storedAt: ContinuousClock.Instant?
    }

    private let state = LockedValue(State())

    func set(_ role: MatcherObservation.Role) { state.withLock { $0.role = role } }

    func subscribed() { state.withLock { $0.broker = .subscribed } }

    func disconnected(_ error: (any Error)?) {
        let complaint = error?.inOneLine
        state.withLock { $0.broker = .away(complaint: complaint, isFirst: false) }
    }

    func beginWriting() { state.withLock { $0.writingSince = .now } }

    func endWriting(storedRecords: Bool) {
        state.withLock { state in
            state.writingSince = nil
            state.failure = nil
            if storedRecords { state.storedAt = .now }
        }
    }

    func endWriting(_ error: any Error) {
        let failure = Self.failure(error)
        state.withLock { state in
            state.writingSince = nil
            state.failure = (failure, isOfWrite: true)
        }
    }

    /// Takes the result of a look at the store. It proves nothing about a write that has failed.
    func examined(_ result: Result<Void, any Error>) {
        let failure: MatcherObservation.Store? =
            switch result {
            case .success: nil
            case .failure(let error): Self.failure(error)
            }
        state.withLock { state in
            if let failure {
                state.failure = (failure, isOfWrite: state.failure?.isOfWrite ?? false)
            } else if state.failure?.isOfWrite == false {
                state.failure = nil
            }
        }
    }

    func observation(_ publisher: MatcherObservation.Publisher, now: ContinuousClock.Instant) -> MatcherObservation {
        let state = state.withLock { $0 }
        let store: MatcherObservation.Store =
            state.failure?.store ?? state.writingSince.map { .writing(now - $0) } ?? .writable
        return MatcherObservation(
            role: state.role, store: store, broker: state.broker, publisher: publisher,
            lastStoredAge: state.storedAt.map { now - $0 })
    }

    private static func failure(_ error: any Error) -> MatcherObservation.Store {
        .failing(what: error.inOneLine, remedy: (error as? any OperatorError)?.remedy)
    }
}
