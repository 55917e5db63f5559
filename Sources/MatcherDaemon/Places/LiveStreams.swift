import MatcherCore
import SystemIO

/// Event streams of live positions.
final class LiveStreams: Sendable {
    private struct Listener {
        var floor: String
        var view: LiveAccess.View
        /// The operator who listens; the stream ends when the operator's token or role changes.
        var credential: OperatorCredential
        /// The client's address.
        var client: String
        var events: AsyncStream<String>.Continuation
    }

    private struct State {
        var listeners: [UInt64: Listener] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }

    private let state = LockedValue(State())

    /// Maximum number of streams, each of which keeps a connection.
    private static let mostListeners = 100
    /// Maximum number of streams of one operator, which may be several people.
    private static let mostOfOne = 50
    private static let mostAtOneAddress = 25
    /// Number of events that a slow reader can be behind before its stream ends.
    private static let mostWaiting = 16

    /// Returns a stream with a first event; `nil` if there are too many streams, or after `close()`.
    func events(
        on floor: String, view: LiveAccess.View, of credential: OperatorCredential, to client: String, first: String
    ) -> AsyncStream<String>? {
        // The oldest are kept: a reader who has missed one must begin anew.
        let (events, continuation) = AsyncStream<String>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        let number: UInt64? = state.withLock { state in
            let own = state.listeners.values.count { $0.credential.name == credential.name }
            let near = state.listeners.values.count { $0.client == client }
            guard !state.isClosed, state.listeners.count < Self.mostListeners, own < Self.mostOfOne,
                near < Self.mostAtOneAddress
            else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(
                floor: floor, view: view, credential: credential, client: client, events: continuation)
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        continuation.yield(first)
        return events
    }

    /// Floors and views with a stream.
    var audiences: [(floor: String, view: LiveAccess.View)] {
        state.withLock { state in
            Set(state.listeners.values.map { Audience(floor: $0.floor, view: $0.view) }).map { ($0.floor, $0.view) }
        }
    }

    private struct Audience: Hashable {
        var floor: String
        var view: LiveAccess.View
    }

    /// Sends an event to the streams of a floor and view.
    func send(_ event: String, on floor: String, view: LiveAccess.View) {
        send(event) { $0.floor == floor && $0.view == view }
    }

    /// Sends a comment on each stream, so that connections do not look dead.
    func beat() { send(": still here\n\n") { _ in true } }

    private func send(_ event: String, where isMeant: (Listener) -> Bool) {
        let events = state.withLock { state in state.listeners.values.filter(isMeant).map(\.events) }
        // Ending a stream removes it, which needs the lock.
        for one in events { if case .dropped = one.yield(event) { one.finish() } }
    }

    /// Ends the streams of operators whose token or role is no longer the same.
    func endStreams(unless operators: [OperatorCredential]) {
        endStreams { !operators.contains($0.credential) }
    }

    /// Ends the present streams: their clients connect again, and get another snapshot.
    func restart() { endStreams { _ in true } }

    /// Ends all streams for good.
    func close() {
        state.withLock { $0.isClosed = true }
        restart()
    }

    private func endStreams(where isMeant: (Listener) -> Bool) {
        let ended = state.withLock { state in state.listeners.values.filter(isMeant).map(\.events) }
        for events in ended { events.finish() }
    }
}
