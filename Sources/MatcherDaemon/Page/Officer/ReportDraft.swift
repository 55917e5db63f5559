import BeaconModel
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

/// A new report as an officer typed it, with the checks before it is filed.
struct ReportDraft: Sendable {
    /// The form as it was typed.
    var form: ReportForm
    /// Number of the person that was chosen among several.
    var choice: String?
    /// Whether the officer agrees to a report from which nothing may follow.
    var isAgreed: Bool

    init(_ fields: [String: String]) {
        form = ReportForm(person: fields["person"] ?? "", test: fields["test"] ?? "", onset: fields["onset"] ?? "")
        form.isConfirmed =
            switch fields["confirmation"] {
            case ReportType.confirmed.rawValue: true
            case ReportType.selfReported.rawValue: false
            default: nil
            }
        choice = fields["choice"]
        isAgreed = fields["agreed"] == "yes"
    }

    /// Result of the checks.
    enum Checked: Sendable {
        case report(PositiveReport)
        /// The form with what is wrong with it.
        case mistakes(ReportForm)
    }

    /// Checks the draft, as the command `report` checks its arguments.
    ///
    /// - Throws: `StoreError`.
    func checked(
        reference: String, policy: Policy, days: CalendarDays, now: Int64, in store: InteractionStore
    ) throws -> Checked {
        var form = form
        if form.isConfirmed == nil { form.confirmationMistake = "Choose one of the two." }
        let type = form.isConfirmed == false ? ReportType.selfReported : .confirmed
        let (positive, asked) = Self.positive(
            test: &form.test, onset: &form.onset, type, policy: policy, days: days, now: now)
        let subjects = try subjects(&form, in: store)
        let since = asked?.since ?? positive.window(lookback: policy.risk.days, received: now, days: days).since
        let fixed = try store.fixedBeacons(among: subjects, since: since)
        if !fixed.isEmpty {
            let named = FixedBeaconNamed(beacons: fixed.sorted())
            form.person.mistake = Self.sentence([named.what, named.meaning])
        }
        guard let span = asked, !form.hasMistakes else { return .mistakes(form) }
        if !isAgreed {
            if positive.test == nil, positive.onset == nil {
                form.doubts.append(
                    "Without a day of the test or of the first symptoms, contacts of the last \(policy.risk.days) days "
                        + "count.")
            }
            form.doubts += try doubts(subjects, span, days: days, now: now, in: store)
            form.doubts += try EarlierReports(of: subjects, positive, span, now: now, in: store).doubts(days: days)
        }
        guard !form.hasMistakes else { return .mistakes(form) }
        return .report(
            PositiveReport(reference: reference, received: now, positive: positive, of: subjects, in: span))
    }

    /// Reads the days of a case, and marks what is wrong with them.
    ///
    /// - Returns: the case, and the span in which contacts count; `nil` with a mistake if none can follow.
    static func positive(
        test: inout TypedField, onset: inout TypedField, _ type: ReportType, policy: Policy, days: CalendarDays,
        now: Int64
    ) -> (positive: PositiveCase, asked: AskedSpan?) {
        let (testDay, onsetDay) = (day(&test), day(&onset))
        let positive = PositiveCase(reportType: type, onset: onsetDay, test: testDay)
        if test.mistake != nil || onset.mistake != nil { return (positive, nil) }
        return (positive, askedSpan(of: positive, &test, &onset, policy: policy, days: days, now: now))
    }

    private static func day(_ field: inout TypedField) -> Int64? {
        if field.text.isEmpty { return nil }
        let day = DayText.parse(field.text)
        if day == nil { field.mistake = "This must be \(DayText.form)." }
        return day
    }

    /// Returns the span in which contacts count; `nil` with a mistake if none can follow from the days.
    private static func askedSpan(
        of positive: PositiveCase, _ test: inout TypedField, _ onset: inout TypedField, policy: Policy,
        days: CalendarDays, now: Int64
    ) -> AskedSpan? {
        var key = positive.onset == nil ? CaseDays.Key.test : .onset
        let text: String
        do {
            return try AskedSpan.contacts(of: positive, by: policy, isReport: true, days: days, now: now)
        } catch let error as ImplausibleDay {
            key = error.mistake.key
            text = "\(error.mistake.found); it \(error.mistake.allowed)."
        } catch let error as any OperatorError {
            text = sentence([error.what])
        } catch {
            text = sentence(["\(error)"])
        }
        switch key {
        case .test: test.mistake = text
        case .onset: onset.mistake = text
        }
        return nil
    }

    /// Returns the badges and phones of the person who is meant.
    private func subjects(_ form: inout ReportForm, in store: InteractionStore) throws -> [SubjectIdentity] {
        if let subject = SubjectIdentity(form.person.text) {
            return try store.people(of: [subject])[subject]?.subjects ?? [subject]
        }
        guard let query = PersonQuery(form.person.text) else {
            form.person.mistake = "Type a full name, a number, or a badge or phone."
            return []
        }
        switch try store.person(query) {
        case .found(let person): return devices(of: person, &form.person)
        case .nothing:
            form.person.mistake =
                "Nobody in the register of people has this name or number. A badge is written like "
                + "\(SubjectIdentity.example), and a phone with phone: in front of its identifier."
        case .choices(let choices):
            form.choices = choices.people.map {
                .init(
                    name: $0.name, number: $0.number, contact: $0.contact.joined(separator: ", "),
                    isChosen: $0.number == choice)
            }
            if let person = choices.people.first(where: { $0.number == choice }) {
                return devices(of: person, &form.person)
            }
            form.person.mistake =
                choices.haveWholeName
                ? "Several people have this name or number: choose one below."
                : "This is a part of a name: choose the person below."
            if choices.others > 0 {
                form.person.mistake? += " Not listed: \(choices.others) more. Type more of the name to see them."
            }
        }
        return []
    }

    private func devices(of person: Person, _ field: inout TypedField) -> [SubjectIdentity] {
        if person.subjects.isEmpty {
            field.mistake = "\(person.label) has no badge or phone in the register, so no contacts are known."
        }
        return person.subjects
    }

    /// Returns reasons why an empty answer would mean nothing, in sentences.
    private func doubts(
        _ subjects: [SubjectIdentity], _ span: AskedSpan, days: CalendarDays, now: Int64, in store: InteractionStore
    ) throws -> [String] {
        var doubts: [any OperatorError] = ErasedSubject.list(
            try store.erasures(among: Set(subjects)), since: span.since, days: days)
        let heard = Set(try store.numbers(of: subjects).keys)
        // They all are one person's.
        if let unheard = UnheardSubjects(among: subjects, heard: heard, people: [subjects]) { doubts.append(unheard) }
        if try !store.knowsAnybody(from: span.since, to: min(span.until, now)) {
            doubts.append(NothingHeard(asked: "since \(days.text(span.since)) \(days.name)"))
        }
        return doubts.map { doubt in
            [doubt.what, doubt.meaning].compactMap { $0.map { Self.sentence([$0]) } }.joined(separator: " ")
        }
    }

    /// Returns parts of a sentence as one. What begins with the name of a badge or phone keeps its first letter.
    private static func sentence(_ parts: [String?]) -> String {
        let text = parts.compactMap(\.self).joined(separator: ": ")
        let beginsWithName = [SubjectIdentity.badge, SubjectIdentity.phone].contains { text.hasPrefix($0 + ":") }
        return beginsWithName ? text + "." : text.asSentence
    }
}
