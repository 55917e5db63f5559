import MatcherCore
import Matching
import SystemIO

/// Event streams of the subscribers to notices, with a signal that there may be new notices.
final class NoticeStreams: Sendable {
    private struct State {
        var listeners: [UInt64: Listener] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }

    private struct Listener {
        var subject: SubjectIdentity
        /// Version of the secret that the client presented.
        var version: Int64
        /// The client's address.
        var client: String
        var events: AsyncStream<String>.Continuation
        /// Content of the last notice that was sent; `nil` if there was none, or nothing left to report.
        var told: NoticeContent?
    }

    private let state = LockedValue(State())
    /// Signals that there may be something new, such as a report.
    let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// Maximum number of event streams, each of which keeps a connection. A subject can have `mostOfOne`.
    private static let mostListeners = 200
    private static let mostOfOne = 4
    /// Maximum number of event streams at one address, which a building's phones may share: no address alone takes all
    /// streams.
    private static let mostAtOneAddress = 50

    init() {
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Signals that there may be something new.
    func wake() { wakeUp.yield() }

    /// Returns server-sent events (HTML, section 9.2) of a subject; `nil` if there are too many streams, or after
    /// `close()`.
    ///
    /// - Parameters:
    ///   - version: version of the presented secret: the stream ends when there is another.
    ///   - client: the client's address.
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
        // Sent at once, for proxies that buffer, and for pages that show that they are connected.
        continuation.yield(": listening\n\n")
        wake()
        return events
    }

    /// Subjects with an event stream.
    var subjects: Set<SubjectIdentity> { state.withLock { Set($0.listeners.values.map(\.subject)) } }

    /// Ends streams whose client presented a secret other than the present one: another person may have the badge now.
    ///
    /// - Parameter versions: versions of the present secrets; streams of other subjects continue.
    func endStreams(unless versions: [SubjectIdentity: Int64]) {
        // Ending a stream removes it, which needs the lock.
        let ended = state.withLock { state in
            state.listeners.values.filter { versions[$0.subject] ?? $0.version != $0.version }.map(\.events)
        }
        for events in ended { events.finish() }
    }

    /// Sends a notice to the streams of its subject, once to each.
    func tell(_ notice: Notice) {
        let event =
            notice.content.map { "event: exposure\ndata: \(NoticeDocument($0).text)\n\n" }
            ?? "event: withdrawn\ndata: {}\n\n"
        state.withLock { state in
            for (number, listener) in state.listeners
            where listener.subject == notice.subject && listener.told != notice.content {
                state.listeners[number]?.told = notice.content
                listener.events.yield(event)
            }
        }
    }

    /// Sends a comment on each stream, so that connections do not look dead.
    func beat() {
        for events in listeners { events.yield(": still here\n\n") }
    }

    /// Ends all streams, so that the server can end.
    func endStreams() {
        state.withLock { $0.isClosed = true }
        for events in listeners { events.finish() }
    }

    /// Ends all streams and the stream of signals.
    func close() {
        endStreams()
        wakeUp.finish()
    }

    private var listeners: [AsyncStream<String>.Continuation] {
        state.withLock { $0.listeners.values.map(\.events) }
    }
}
