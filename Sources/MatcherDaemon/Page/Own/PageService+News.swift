import Attendance
import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import Pages

// News about the person who is signed in, while the page is open.
extension PageService {
    /// Streams that there is news about the person who is signed in: an event `news` without contents, which the
    /// browser then asks for.
    ///
    /// A stream ends after some minutes (`NoticeStreams.news`) and at the sign-out. The browser opens another, which
    /// needs a session that has not ended.
    func news(_ request: PageRequest) async throws -> PageAnswer {
        guard let session = request.session else { throw PageError.signedOut }
        let since = request.query["since"].flatMap { Int64($0) } ?? 0
        let subjects = try await ownSubjects(request)
        guard !subjects.isEmpty else { throw PageError.notFound }
        let events = api.notices.news(
            of: Set(subjects), session: session.hash, account: session.account.key, since: since, to: request.client)
        guard let events else {
            throw PageError(
                .tooManyRequests, "Too many open pages",
                "There are too many open pages, so this one is not told of news.",
                "Close other pages of this service, and refresh this one.", retryAfter: 60)
        }
        return PageAnswer(content: .events(events))
    }

    /// Returns the badges and phones of the person who is signed in; none if nothing is known of the person.
    ///
    /// - Throws: `PageError.rosterDamaged` if only the roster could tell them; other `PageError`, `StoreError`.
    func ownSubjects(_ request: PageRequest) async throws -> [SubjectIdentity] {
        guard let number = try ownNumber(request) else { return [] }
        let (search, damage) = try await ownRoster(now: request.now)
        let configured = search?.files.configured.student(number)
        let subjects = try await api.work { store in
            try Self.subjects(of: try store.person(number: number), configured, number: number, in: store)
        }
        // "None" would be a false answer.
        if damage != nil, subjects.isEmpty { throw PageError.rosterDamaged }
        return subjects
    }
}

extension PageError {
    static let rosterDamaged = Self(
        .serviceUnavailable, "Not known now",
        "The timetable or the roster is damaged, so it is not known which badges and phones are yours. Nothing was "
            + "deleted.",
        "Tell the person who runs this service, and try again later.")
}
