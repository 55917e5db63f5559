import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

/// A new report as an officer typed it, with the checks before it is filed.
struct ReportDraft: Sendable {
    var typed: NewReportPage.Typed
    /// Number of the person that was chosen among several.
    var choice: String?
    /// Whether the officer agrees to a report from which nothing may follow.
    var isAgreed: Bool

    init(_ form: [String: String]) {
        typed = NewReportPage.Typed(
            person: form["person"] ?? "", test: form["test"] ?? "", onset: form["onset"] ?? "")
        typed.isConfirmed =
            switch form["confirmation"] {
            case ReportType.confirmed.rawValue: true
            case ReportType.selfReported.rawValue: false
            default: nil
            }
        choice = form["choice"]
        isAgreed = form["agreed"] == "yes"
    }

    /// Result of the checks.
    enum Checked: Sendable {
        case report(PositiveReport)
        case mistakes(NewReportPage.Mistakes)
    }

    /// Checks the draft, as the command `report` checks its arguments.
    ///
    /// - Throws: `StoreError`.
    func checked(
        reference: String, policy: Policy, days: CalendarDays, now: Int64, in store: InteractionStore
    ) throws -> Checked {
        var mistakes = NewReportPage.Mistakes()
        let test = Self.day(typed.test, &mistakes.test)
        let onset = Self.day(typed.onset, &mistakes.onset)
        if typed.isConfirmed == nil { mistakes.confirmation = "Choose one of the two." }
        let positive = PositiveCase(
            reportType: typed.isConfirmed == false ? .selfReported : .confirmed, onset: onset, test: test)
        let window = positive.window(lookback: policy.risk.days, received: now, days: days)
        if mistakes.test == nil, mistakes.onset == nil {
            check(positive, window, &mistakes, policy: policy, days: days, now: now)
        }
        let subjects = try subjects(&mistakes, in: store)
        let fixed = try store.fixedBeacons(among: subjects, since: window.since)
        if !fixed.isEmpty {
            let named = FixedBeaconNamed(beacons: fixed.sorted())
            mistakes.person = Self.sentence([named.what, named.meaning])
        }
        if mistakes.isEmpty, !isAgreed {
            mistakes.doubts = try doubts(subjects, window, days: days, now: now, in: store)
        }
        guard mistakes.isEmpty else { return .mistakes(mistakes) }
        return .report(
            PositiveReport(
                reference: reference, received: now, positive: positive,
                // A phone's stays are its own claim: none after its report counts for it.
                subjects: subjects.map { subject in
                    let end = subject.kind == SubjectIdentity.phone ? min(window.until, now) : window.until
                    return .init(identity: subject, since: window.since, until: end)
                }))
    }

    private static func day(_ text: String, _ mistake: inout String?) -> Int64? {
        if text.isEmpty { return nil }
        let day = DayText.parse(text)
        if day == nil { mistake = "This must be \(DayText.form)." }
        return day
    }

    /// Checks that contacts can follow from the days.
    private func check(
        _ positive: PositiveCase, _ window: (since: Int64, until: Int64), _ mistakes: inout NewReportPage.Mistakes,
        policy: Policy, days: CalendarDays, now: Int64
    ) {
        let usual = now - policy.risk.days * 86_400
        let earliest = max(window.since, usual)
        let plausible = CaseDays(
            policy: policy, since: earliest, until: window.until, usual: usual, latest: days.day(of: now))
        var text: String?
        var key = positive.onset == nil ? CaseDays.Key.test : .onset
        if let mistake = plausible.mistake(in: positive) {
            key = mistake.key
            text = "\(mistake.found); it \(mistake.allowed)."
        } else if window.until < earliest {
            text = Self.sentence([StartAfterCase(from: earliest, until: window.until, days: days).what])
        }
        switch key {
        case .test: mistakes.test = text
        case .onset: mistakes.onset = text
        }
    }

    /// Returns the badges and phones of the person who is meant.
    private func subjects(
        _ mistakes: inout NewReportPage.Mistakes, in store: InteractionStore
    ) throws -> [SubjectIdentity] {
        if let subject = SubjectIdentity(typed.person) {
            return try store.people(of: [subject])[subject]?.subjects ?? [subject]
        }
        guard let query = PersonQuery(typed.person) else {
            mistakes.person = "Type a full name, a number, or a badge or phone."
            return []
        }
        switch try store.person(query) {
        case .found(let person): return devices(of: person, &mistakes)
        case .nothing:
            mistakes.person =
                "Nobody in the register of people has this name or number. A badge or phone is written as "
                + "\(SubjectIdentity.form)."
        case .choices(let choices):
            mistakes.choices = choices.people.map {
                .init(
                    name: $0.name, number: $0.number, contact: $0.contact.joined(separator: ", "),
                    isChosen: $0.number == choice)
            }
            if let person = choices.people.first(where: { $0.number == choice }) {
                return devices(of: person, &mistakes)
            }
            mistakes.person =
                choices.haveWholeName
                ? "Several people have this name or number: choose one below."
                : "This is a part of a name: choose the person below."
            if choices.others > 0 {
                mistakes.person? += " There are \(choices.others) more: type more of the name to see them."
            }
        }
        return []
    }

    private func devices(of person: Person, _ mistakes: inout NewReportPage.Mistakes) -> [SubjectIdentity] {
        if person.subjects.isEmpty {
            mistakes.person = "\(person.label) has no badge or phone in the register, so no contacts are known."
        }
        return person.subjects
    }

    /// Returns reasons why an empty answer would mean nothing, in sentences.
    private func doubts(
        _ subjects: [SubjectIdentity], _ window: (since: Int64, until: Int64), days: CalendarDays, now: Int64,
        in store: InteractionStore
    ) throws -> [String] {
        var doubts: [String] = []
        for (subject, time) in try store.erasures(among: Set(subjects)).sorted(by: { $0.key < $1.key })
        where time > window.since {
            doubts.append(
                "\(subject) was erased \(days.text(time)): earlier contacts are no longer known, and the device may "
                    + "have a new owner since.")
        }
        if try store.numbers(of: subjects).isEmpty {
            let named = subjects.count == 1 ? "this badge or phone" : "any of these badges and phones"
            doubts.append(
                "No gateway ever received \(named): contacts are unknown. It may be mistyped, or belong to another "
                    + "site."
            )
        }
        if try !store.knowsAnybody(from: window.since, to: min(window.until, now)) {
            doubts.append(
                "The store has no records since \(days.text(window.since)) \(days.name). This does not mean that "
                    + "nobody was exposed.")
        }
        return doubts
    }

    private static func sentence(_ parts: [String?]) -> String {
        let text = parts.compactMap(\.self).joined(separator: ": ")
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }
}
