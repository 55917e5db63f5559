import InteractionStore
import Matching
import Pages

/// People whom one report exposed: their names, their risk now by all reports, and how far they are notified.
struct ExposedNames: Sendable {
    var names: ShownNames
    private var risks: [SubjectIdentity: OfficerTag] = [:]
    private var notices: [SubjectIdentity: NoticeState]

    /// Reads what is known of subjects.
    ///
    /// - Throws: `StoreError`.
    init(_ subjects: Set<SubjectIdentity>, _ policy: Policy, now: Int64, in store: InteractionStore) throws {
        names = try ShownNames(subjects, in: store)
        notices = try store.noticeStates(of: subjects)
        for subject in subjects {
            let risk = try ExposedPeople.risk(of: subject, policy: policy, now: now, in: store)
            risks[subject] = risk.map { OfficerText.risk($0.level, label: $0.label) } ?? OfficerText.belowRisk
        }
    }

    func has(_ subject: SubjectIdentity) -> Bool { risks[subject] != nil }

    func tag(_ subject: SubjectIdentity) -> OfficerTag { risks[subject] ?? OfficerText.belowRisk }

    func notified(_ subject: SubjectIdentity, _ text: OfficerText) -> String {
        text.notified(notices[subject] ?? .unknown, of: subject)
    }

    /// Numbers of people who were exposed and who are notified, in a sentence.
    var summary: String {
        let exposed = Set(risks.keys.map(names.key))
        if exposed.isEmpty { return "No exposures by this report are known." }
        let notified = Set(notices.filter { $0.value.content != nil }.keys.map(names.key))
        let count = OfficerText.count(exposed.count, "person was", "people were")
        return
            "\(count) exposed by this report; \(notified.count) of them \(notified.count == 1 ? "is" : "are") notified."
    }
}
