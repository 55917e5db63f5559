import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

/// Report that an officer makes of a result that somebody sent in.
struct ResultDraft: Sendable {
    /// The form as it is shown again.
    var form: ReportForm
    /// Number of the person that was chosen.
    var choice: String?
    /// The form as that of a new report.
    private var report: ReportDraft

    /// Creates what the result suggests.
    init(_ result: SubmittedResult) {
        form = ReportForm(
            test: result.testDay.map(DayText.text) ?? "", onset: result.onset.map(DayText.text) ?? "",
            isConfirmed: true)
        report = ReportDraft([:])
    }

    /// Reads the form that was sent. A person who was typed counts, not the one who was chosen.
    init(_ sent: [String: String]) {
        var fields = sent
        fields["confirmation"] = ReportType.confirmed.rawValue
        let person = (sent["person"] ?? "").onOneLine
        choice = sent["choice"]
        form = ReportForm(
            person: sent["person"] ?? "", test: sent["test"] ?? "", onset: sent["onset"] ?? "", isConfirmed: true)
        if person.isEmpty { fields["person"] = choice ?? "" }
        report = ReportDraft(fields)
    }

    enum Filing: Sendable {
        case filed
        /// The form with what is wrong with it.
        case mistakes(ReportForm)
        /// Another officer decided first.
        case decidedBefore
    }

    /// Files the report under the result's reference, and deletes the result.
    ///
    /// - Throws: `StoreError`.
    func file(
        _ reference: String, policy: Policy, days: CalendarDays, now: Int64, audit: AuditEntry,
        in store: InteractionStore
    ) throws -> Filing {
        guard try store.submittedResult(reference)?.state == .waiting else { return .decidedBefore }
        let checked = try report.checked(reference: reference, policy: policy, days: days, now: now, in: store)
        switch checked {
        case .mistakes(var marked):
            // The person who was chosen is not shown as one who was typed.
            marked.person.text = form.person.text
            if report.form.person.text.isEmpty {
                marked.person.mistake = "Choose the person, or type a name or a number."
            }
            return .mistakes(marked)
        case .report(let filed):
            // Another process may have decided since.
            return try store.fileResult(filed, audit: audit) ? .filed : .decidedBefore
        }
    }

    /// Returns the people in the register who can be meant: by number first, then by name.
    ///
    /// - Parameter chosen: number of the person that was chosen; `nil` chooses somebody who has both for a result with
    ///   a code, and nobody for one with a picture, which can have another name on it.
    /// - Throws: `StoreError`.
    static func choices(
        of result: SubmittedResult, chosen: String?, in store: InteractionStore
    ) throws -> [ReportForm.Choice] {
        var people: [Person] = []
        if let numbered = try store.person(number: result.sender.number) { people.append(numbered) }
        if let query = PersonQuery(result.sender.name) {
            switch try store.person(query) {
            case .found(let person): people.append(person)
            case .choices(let choices): people += choices.people
            case .nothing: break
            }
        }
        let name = FoldedName(result.sender.name)
        var known: Set<String> = []
        return people.filter { known.insert($0.number).inserted }.map { person in
            let hasBoth = person.number == result.sender.number && FoldedName(person.name).isSame(as: name)
            return ReportForm.Choice(
                name: person.name, number: person.number, contact: person.contact.joined(separator: ", "),
                isChosen: chosen.map { $0 == person.number } ?? (hasBoth && result.picture == nil))
        }
    }
}
