import InteractionStore
import Matching
import Pages

/// People whom one report exposed: their names, their risk now by all reports, and how far they are notified.
struct ExposedNames: Sendable {
    var names: ShownNames
    private var subjects: Set<SubjectIdentity>
    /// Risks of those that are listed.
    private var risks: [SubjectIdentity: OfficerTag] = [:]
    private var notices: [SubjectIdentity: NoticeState]

    /// Reads what is known of subjects, except for their risk.
    ///
    /// - Throws: `StoreError`.
    init(_ subjects: Set<SubjectIdentity>, in store: InteractionStore) throws {
        self.subjects = subjects
        names = try ShownNames(subjects, in: store)
        notices = try store.noticeStates(of: subjects)
    }

    /// Assesses the risk of subjects that are listed.
    ///
    /// - Throws: `StoreError`.
    mutating func assess(
        _ listed: Set<SubjectIdentity>, _ policy: Policy, now: Int64, in store: InteractionStore
    ) throws {
        for subject in listed {
            let risk = try ExposedPeople.risk(of: subject, policy: policy, now: now, in: store)
            risks[subject] = risk.map { OfficerText.risk($0.level, label: $0.label) } ?? OfficerText.belowRisk
        }
    }

    func has(_ subject: SubjectIdentity) -> Bool { subjects.contains(subject) }

    func tag(_ subject: SubjectIdentity) -> OfficerTag { risks[subject] ?? OfficerText.belowRisk }

    func notified(_ subject: SubjectIdentity, _ text: OfficerText) -> String {
        text.notified(notices[subject] ?? .unknown, of: subject)
    }

    /// Numbers of people who were exposed and who are notified, in a sentence.
    var summary: String {
        let exposed = Set(subjects.map(names.key))
        if exposed.isEmpty { return "No exposures by this report are known." }
        let notified = Set(notices.filter { $0.value.content != nil }.keys.map(names.key))
        let count = OfficerText.count(exposed.count, "person was", "people were")
        let waiting = Set(subjects.filter { !(notices[$0] ?? .unknown).isCurrent }.map(names.key))
        let wait = "Refresh this page before you send letters or e-mails."
        return
            "\(count) exposed by this report; \(notified.count) of them \(notified.count == 1 ? "is" : "are") notified."
            + (waiting.isEmpty ? "" : " \(waiting.count) \(waiting.count == 1 ? "is" : "are") being notified. \(wait)")
    }
}
