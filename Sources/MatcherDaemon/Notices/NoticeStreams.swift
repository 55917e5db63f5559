import MatcherCore
import Matching
import SystemIO

/// Event streams of the subscribers to notices and of the pages of people, with a signal that there may be new notices.
final class NoticeStreams: Sendable {
    private struct State {
        var listeners: [UInt64: Listener] = [:]
        var next: UInt64 = 0
        var isClosed = false
    }

    private struct Listener {
        var subjects: Set<SubjectIdentity>
        var reader: Reader
        /// Account of a session; `nil` for a client with a secret.
        var account: String?
        /// The client's address.
        var client: String
        var events: AsyncStream<String>.Continuation
    }

    private enum Reader {
        /// Client with a subject's secret, of a version, and the content of the last notice that was sent; `nil` if
        /// there was none, or nothing left to report.
        case subject(version: Int64, told: NoticeContent?)
        /// Browser of somebody who signed in on the page, by the hash of the session, until a time. It is told that
        /// there is news since a time in seconds since 1970, and not which.
        case session(hash: String, until: ContinuousClock.Instant, since: Int64)

        var isSession: Bool { sessionHash != nil }

        var sessionHash: String? {
            guard case .session(let hash, _, _) = self else { return nil }
            return hash
        }
    }

    private let state = LockedValue(State())
    private let room: StreamRoom
    /// Signals that there may be something new, such as a report.
    let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// Maximum number of event streams. A subject can have `mostOfOne`.
    private static let mostListeners = 150
    private static let mostOfOne = 4
    /// Maximum number of event streams at one address, which a building's phones may share: no address alone takes all
    /// streams.
    private static let mostAtOneAddress = 50
    /// Maximum number of event streams of sessions, and of those of one session, which is one browser. Many people can
    /// share the address of a site, so addresses have no limit here.
    private static let mostOfSessions = 200
    private static let mostOfOneSession = 4
    /// Maximum number of event streams of one account, which can have many sessions.
    private static let mostOfOneAccount = 8

    /// - Parameter room: the room that all streams of a server share.
    init(room: StreamRoom = StreamRoom()) {
        self.room = room
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
        begin([subject], .subject(version: version, told: nil), to: client) { listeners in
            let others = listeners.filter { !$0.reader.isSession }
            return others.count < Self.mostListeners
                && others.count { $0.subjects.contains(subject) } < Self.mostOfOne
                && others.count { $0.client == client } < Self.mostAtOneAddress
        }
    }

    /// Returns server-sent events for the browser of a person: that there is news, and not which. `nil` if there are
    /// too many streams, or after `close()`.
    ///
    /// A stream ends after `LiveClient.longestOfSession`, or when its session is signed out: the browser asks again at
    /// once, which a session that was ended elsewhere cannot.
    ///
    /// - Parameters:
    ///   - subjects: the person's badges and phones.
    ///   - hash: hash of the session.
    ///   - account: account of the session (`Account.key`).
    ///   - since: time of the latest change that the browser shows, in seconds since 1970.
    ///   - client: the client's address.
    func news(
        of subjects: Set<SubjectIdentity>, session hash: String, account: String, since: Int64, to client: String,
        now: ContinuousClock.Instant = .now
    ) -> AsyncStream<String>? {
        let reader = Reader.session(hash: hash, until: now + LiveClient.longestOfSession, since: since)
        return begin(subjects, reader, of: account, to: client) { listeners in
            let others = listeners.filter(\.reader.isSession)
            return others.count < Self.mostOfSessions
                && others.count { $0.reader.sessionHash == hash } < Self.mostOfOneSession
                && others.count { $0.account == account } < Self.mostOfOneAccount
        }
    }

    private func begin(
        _ subjects: Set<SubjectIdentity>, _ reader: Reader, of account: String? = nil, to client: String,
        where hasRoom: ([Listener]) -> Bool
    ) -> AsyncStream<String>? {
        let (events, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(16))
        let isTaken = state.withLock { state in
            guard !state.isClosed, hasRoom(Array(state.listeners.values)), room.take() else { return false }
            state.next += 1
            let number = state.next
            state.listeners[number] = Listener(
                subjects: subjects, reader: reader, account: account, client: client, events: continuation)
            // Before anybody else can end the stream.
            continuation.onTermination = { [weak self, room] _ in
                room.giveBack()
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            }
            return true
        }
        guard isTaken else { return nil }
        // Sent at once, for proxies that buffer, and for pages that show that they are connected.
        continuation.yield(": listening\n\n")
        wake()
        return events
    }

    /// Subjects with an event stream.
    var subjects: Set<SubjectIdentity> { state.withLock { Set($0.listeners.values.flatMap(\.subjects)) } }

    /// Ends streams whose client presented a secret other than the present one: another person may have the badge now.
    ///
    /// - Parameter versions: versions of the present secrets; streams of other subjects continue.
    func endStreams(unless versions: [SubjectIdentity: Int64]) {
        endStreams { listener in
            guard case .subject(let version, _) = listener.reader else { return false }
            return listener.subjects.contains { versions[$0] ?? version != version }
        }
    }

    /// Ends the streams of a session.
    ///
    /// - Parameter hash: hash of the session.
    func endStreams(ofSession hash: String) { endStreams { $0.reader.sessionHash == hash } }

    private func endStreams(where isMeant: (Listener) -> Bool) {
        // Ending a stream removes it, which needs the lock.
        let ended = state.withLock { state in state.listeners.values.filter(isMeant).map(\.events) }
        for events in ended { events.finish() }
    }

    /// Sends a notice to the streams of its subject, once to each.
    func tell(_ notice: Notice) {
        let event =
            notice.content.map { ServerSentEvent.text("exposure", data: NoticeDocument($0).text) }
            ?? ServerSentEvent.text("withdrawn", data: "{}")
        state.withLock { state in
            for (number, listener) in state.listeners where listener.subjects.contains(notice.subject) {
                switch listener.reader {
                case .subject(let version, let told) where told != notice.content:
                    state.listeners[number]?.reader = .subject(version: version, told: notice.content)
                    listener.events.yield(event)
                case .session(let hash, let until, let since) where notice.changed > since:
                    state.listeners[number]?.reader = .session(hash: hash, until: until, since: notice.changed)
                    listener.events.yield(ServerSentEvent.text("news", id: notice.changed, data: "{}"))
                case .subject, .session: break
                }
            }
        }
    }

    /// Sends a comment on each stream, so that connections do not look dead, and ends the streams whose time is over.
    ///
    /// - Parameter now: present time.
    func beat(now: ContinuousClock.Instant = .now) {
        endStreams { listener in
            guard case .session(_, let until, _) = listener.reader else { return false }
            return until <= now
        }
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
