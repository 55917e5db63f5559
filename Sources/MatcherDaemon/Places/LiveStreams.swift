import MatcherCore
import SystemIO

/// Event streams of live positions.
final class LiveStreams: Sendable {
    private struct Listener {
        var floor: String
        var view: LiveAccess.View
        var client: LiveClient
        /// The client's address.
        var address: String
        /// Time at which the stream ends; `nil` for none.
        var until: ContinuousClock.Instant?
        var events: AsyncStream<String>.Continuation
    }

    private struct State {
        var listeners: [UInt64: Listener] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }

    private let state = LockedValue(State())
    private let room: StreamRoom

    /// Maximum number of streams of operators.
    private static let mostOfOperators = 100
    /// Maximum number of streams of sessions. It is more than the 200 browsers that can be open at once, because a
    /// stream that is just ending still has its place when its browser connects again.
    private static let mostOfSessions = 240
    /// Maximum number of streams of one operator, which may be several people.
    private static let mostOfOne = 50
    /// Maximum number of streams of one session, which is one browser.
    private static let mostOfOneSession = 8
    /// Maximum number of streams of one account, which can have many sessions.
    private static let mostOfOneAccount = 16
    /// Maximum number of streams of operators at one address. A session has a limit of its own, and many can share the
    /// address of an office.
    private static let mostAtOneAddress = 25
    /// Number of events that a slow reader can be behind before its stream ends.
    private static let mostWaiting = 16

    /// - Parameter room: the room that all streams of a server share.
    init(room: StreamRoom = StreamRoom()) { self.room = room }

    /// Returns a stream with its first events; `nil` if there are too many streams, or after `close()`.
    ///
    /// - Parameters:
    ///   - others: events after the first.
    ///   - now: present time.
    func events(
        on floor: String, view: LiveAccess.View, of client: LiveClient, to address: String, first: String,
        then others: [String] = [], now: ContinuousClock.Instant = .now
    ) -> AsyncStream<String>? {
        // The oldest are kept: a reader who has missed one must begin anew.
        let (events, continuation) = AsyncStream<String>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        let isTaken = state.withLock { state in
            guard !state.isClosed, Self.hasRoom(for: client, at: address, among: state.listeners.values), room.take()
            else { return false }
            state.next += 1
            let number = state.next
            state.listeners[number] = Listener(
                floor: floor, view: view, client: client, address: address, until: client.longest.map { now + $0 },
                events: continuation)
            // Before anybody else can end the stream.
            continuation.onTermination = { [weak self, room] _ in
                room.giveBack()
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            }
            return true
        }
        guard isTaken else { return nil }
        for event in [first] + others { continuation.yield(event) }
        return events
    }

    private static func hasRoom(
        for client: LiveClient, at address: String, among listeners: some Collection<Listener>
    ) -> Bool {
        let all = listeners.count { $0.client.isSession == client.isSession }
        let own = listeners.count { $0.client.isSame(as: client) }
        if let account = client.account {
            let ofAccount = listeners.count { $0.client.account == account }
            return all < mostOfSessions && own < mostOfOneSession && ofAccount < mostOfOneAccount
        }
        let near = listeners.count { !$0.client.isSession && $0.address == address }
        return all < mostOfOperators && own < mostOfOne && near < mostAtOneAddress
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

    /// Comment that says that a stream goes on.
    static let heartbeat = ": still here\n\n"

    /// Sends a comment on each stream, so that connections do not look dead, and ends the streams whose time is over.
    func beat(now: ContinuousClock.Instant = .now) {
        endStreams { $0.until.map { $0 <= now } ?? false }
        send(Self.heartbeat) { _ in true }
    }

    private func send(_ event: String, where isMeant: (Listener) -> Bool) {
        let events = state.withLock { state in state.listeners.values.filter(isMeant).map(\.events) }
        // Ending a stream removes it, which needs the lock.
        for one in events { if case .dropped = one.yield(event) { one.finish() } }
    }

    /// Ends the streams of operators whose token or role is no longer the same.
    func endStreams(unless operators: [OperatorCredential]) {
        endStreams { listener in
            guard case .operator(let credential) = listener.client else { return false }
            return !operators.contains(credential)
        }
    }

    /// Ends the streams of a session.
    ///
    /// - Parameter hash: hash of the session.
    func endStreams(ofSession hash: String) { endStreams { $0.client.sessionHash == hash } }

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
