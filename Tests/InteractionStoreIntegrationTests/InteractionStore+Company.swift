import Evidence
import InteractionStore
import Matching

@testable import EvidenceTests

extension InteractionStore {
    /// Makes the notice of a subject whose exposures changed; of others none.
    func tell(_ subject: SubjectIdentity, now: Int64) throws {
        let stale = try staleNotices().first { $0.subject == subject }
        try setNotice(.days(1), for: stale ?? StaleNotice(subject: subject, changes: 1), now: now)
    }

    /// The stays of everyone who was near somebody, by name, start and end in minutes, in order.
    func company(of subject: String, rule: ContactRule = anywhere) throws -> [String] {
        guard let number = try numbers(of: [phone(subject)])[phone(subject)] else { return [] }
        let found = try encounters(
            of: [.init(subject: number, since: morning - 86_400, until: morning + 86_400)], rule: rule)
        let names = try subjects(Set(found.map(\.other.subject)))
        return found.map { encounter in
            let name = names[encounter.other.subject]?.id ?? "?"
            return "\(name) \((encounter.other.start - morning) / 60)-\((encounter.other.end - morning) / 60)"
        }.sorted()
    }
}
