import InteractionStore
import Matching
import Pages

/// People who were exposed, put together from their badges and phones. Their names are not read.
struct ExposedPeople: Sendable {
    /// Exposed person.
    struct Entry: Sendable {
        /// The subject of the person that was exposed latest.
        var subject: SubjectIdentity
        /// All subjects of the person in this part of the list.
        var subjects: Set<SubjectIdentity>
        var latest: Int64
        var notice: NoticeState
        /// Level of risk with the policy's word for it; `nil` below the policy's threshold.
        var risk: (level: RiskLevel, label: String)?

        /// Level, as filters name it.
        var levelName: String { risk?.level.rawValue ?? "none" }

        var tag: OfficerTag { risk.map { OfficerText.risk($0.level, label: $0.label) } ?? OfficerText.belowRisk }
    }

    /// People in the order of the list.
    var entries: [Entry] = []
    /// Place of the last subject if there are more; they follow in the next part.
    var next: InteractionStore.ExposedPosition?

    /// Reads a part of the list. A person whose subjects are in two parts is in both.
    ///
    /// - Throws: `StoreError`.
    init(
        since time: Int64, after last: InteractionStore.ExposedPosition? = nil, limit: Int, policy: Policy, now: Int64,
        in store: InteractionStore
    ) throws {
        let found = try store.exposedSubjects(since: time, after: last, limit: limit + 1)
        let subjects = found.prefix(limit)
        if found.count > limit { next = subjects.last.map { .init(latest: $0.latest, subject: $0.subject) } }
        var places: [Int64: Int] = [:]
        for exposed in subjects {
            let risk = try Self.risk(exposed, policy: policy, now: now, in: store)
            guard let owner = exposed.owner, let place = places[owner] else {
                if let owner = exposed.owner { places[owner] = entries.count }
                entries.append(
                    Entry(
                        subject: exposed.subject, subjects: [exposed.subject], latest: exposed.latest,
                        notice: exposed.notice, risk: risk))
                continue
            }
            entries[place].subjects.insert(exposed.subject)
            if let risk, entries[place].risk.map({ $0.level < risk.level }) ?? true { entries[place].risk = risk }
            if entries[place].notice.content == nil, exposed.notice.content != nil {
                entries[place].notice = exposed.notice
            }
        }
    }

    /// Returns the risk of a subject: as it was notified or, before it is, by the policy.
    private static func risk(
        _ exposed: ExposedSubject, policy: Policy, now: Int64, in store: InteractionStore
    ) throws -> (level: RiskLevel, label: String)? {
        if exposed.notice.isCurrent, exposed.subject.kind != SubjectIdentity.phone {
            return exposed.notice.content.map { (level: $0.level, label: $0.label) }
        }
        return try risk(of: exposed.subject, policy: policy, now: now, in: store)
    }

    /// Returns the risk of a subject by all its exposures; `nil` below the policy's threshold.
    ///
    /// - Throws: `StoreError`.
    static func risk(
        of subject: SubjectIdentity, policy: Policy, now: Int64, in store: InteractionStore
    ) throws -> (level: RiskLevel, label: String)? {
        let risk = Risk(try store.exposures(of: subject), policy: policy, now: now)
        return risk.exposures.isEmpty ? nil : (level: risk.level, label: risk.label)
    }
}
