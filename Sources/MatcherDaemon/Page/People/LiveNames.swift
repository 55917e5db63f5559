import MatcherCore
import Matching
import RecordContract
import SystemIO

/// Names of the people in the events of one stream: each is told once, in an event of its own before the first event
/// with the person.
struct LiveNames: Sendable {
    private let find: @Sendable (Set<SubjectIdentity>) async throws -> [SubjectIdentity: String]
    /// Keys that were told, or that have no name.
    private let told = LockedValue<Set<String>>([])

    /// Maximum number of keys that are remembered. Others are looked up again.
    private static let most = 10_000

    /// Part of an event with positions.
    private struct Event: Decodable {
        var positions: [Position]

        struct Position: Decodable {
            var key: String
            var subject: String?
        }
    }

    private struct NamesEvent: Encodable {
        var names: [String: String]
    }

    init(find: @escaping @Sendable (Set<SubjectIdentity>) async throws -> [SubjectIdentity: String]) {
        self.find = find
    }

    /// Returns an event, with the names that it needs before it. Without the register, people are shown by their
    /// identities.
    func prepared(_ event: String) async -> String {
        let subjects = newSubjects(in: event)
        guard !subjects.isEmpty, let found = try? await find(Set(subjects.values)) else { return event }
        told.withLock { told in
            if told.count < Self.most { told.formUnion(subjects.keys) }
        }
        let names = subjects.compactMapValues { found[$0] }
        if names.isEmpty { return event }
        return ServerSentEvent.text("names", NamesEvent(names: names)) + event
    }

    /// Returns the identities in an event by keys, without those that were told.
    private func newSubjects(in event: String) -> [String: SubjectIdentity] {
        let marker = "data: "
        guard let line = event.split(separator: "\n").first(where: { $0.hasPrefix(marker) }),
            let decoded = try? JSON.decode(Event.self, from: Array(line.dropFirst(marker.count).utf8))
        else { return [:] }
        let known = told.withLock { $0 }
        var subjects: [String: SubjectIdentity] = [:]
        for position in decoded.positions where !known.contains(position.key) {
            subjects[position.key] = position.subject.flatMap { SubjectIdentity($0) }
        }
        return subjects
    }
}
