import InteractionStore
import Matching
import SystemIO

/// Who listens for notices now, and that there may be new ones.
final class NoticeBoard: Sendable {
    private struct State {
        var listeners: [UInt64: Listener] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }

    private struct Listener {
        var subject: SubjectIdentity
        /// Of the secret that was shown.
        var version: Int64
        /// An address.
        var client: String
        var events: AsyncStream<String>.Continuation
        /// What it was told last.
        var told: String?
    }

    private let state = LockedValue(State())
    /// Comes when somebody reported.
    let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// Of all subjects, and of one: each keeps a connection.
    private static let mostListeners = 200
    private static let mostOfOne = 4
    /// At one address, where a building's phones may be: nobody alone takes all there are.
    private static let mostAtOneAddress = 50

    init() {
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// There may be something new.
    func wake() { wakeUp.yield() }

    /// Server-sent events (HTML, section 9.2) of a subject; `nil` when there are too many who listen.
    ///
    /// - Parameters:
    ///   - version: of the secret that was shown: the stream ends when there is another.
    ///   - client: its address.
    func events(for subject: SubjectIdentity, version: Int64 = 0, to client: String) -> AsyncStream<String>? {
        let (events, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let number: UInt64? = state.withLock { state in
            if state.isClosed { return nil }
            let own = state.listeners.values.count { $0.subject == subject }
            let near = state.listeners.values.count { $0.client == client }
            guard state.listeners.count < Self.mostListeners, own < Self.mostOfOne, near < Self.mostAtOneAddress else {
                return nil
            }
            state.next += 1
            state.listeners[state.next] = Listener(
                subject: subject, version: version, client: client, events: continuation)
            return state.next
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        // A proxy that buffers, and a page that shows that it listens, get something at once.
        continuation.yield(": listening\n\n")
        wake()
        return events
    }

    /// Those who are listened for.
    var subjects: Set<SubjectIdentity> { state.withLock { Set($0.listeners.values.map(\.subject)) } }

    /// Ends the streams of whoever showed a secret that isn't the present one: somebody else may have the badge now.
    ///
    /// - Parameter versions: of the present secrets; streams of others go on.
    func endStreams(unless versions: [SubjectIdentity: Int64]) {
        // Ending one takes it out, which needs the lock.
        let ended = state.withLock { state in
            state.listeners.values.filter { versions[$0.subject] ?? $0.version != $0.version }.map(\.events)
        }
        for events in ended { events.finish() }
    }

    /// Tells those who listen, each once.
    func tell(_ notice: InteractionStore.Notice) {
        state.withLock { state in
            for (number, listener) in state.listeners
            where listener.subject == notice.subject && listener.told != notice.content {
                state.listeners[number]?.told = notice.content
                if !notice.content.isEmpty {
                    listener.events.yield("event: exposure\ndata: \(notice.content)\n\n")
                } else if listener.told != nil {
                    listener.events.yield("event: withdrawn\ndata: {}\n\n")
                }
            }
        }
    }

    /// Keeps connections from looking dead.
    func beat() {
        for events in listeners { events.yield(": still here\n\n") }
    }

    /// Ends all streams, so that the server can end.
    func endStreams() {
        state.withLock { $0.isClosed = true }
        for events in listeners { events.finish() }
    }

    /// Ends those who wait for something new.
    func close() {
        endStreams()
        wakeUp.finish()
    }

    private var listeners: [AsyncStream<String>.Continuation] {
        state.withLock { $0.listeners.values.map(\.events) }
    }
}
