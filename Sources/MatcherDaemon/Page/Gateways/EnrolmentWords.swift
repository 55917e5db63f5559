import InteractionStore
import OperatorText
import Pages

/// Words of the page about codes with which phones enrol. Pure.
struct EnrolmentWords {
    var days: CalendarDays

    /// Returns the row of codes that were issued together.
    ///
    /// - Parameter now: seconds since 1970.
    func row(_ one: InteractionStore.Enrolment, now: Int64) -> EnrolmentPage.Row {
        EnrolmentPage.Row(
            label: one.label, state: Self.tag(one, now: now), codes: one.codes, uses: one.uses, used: one.used,
            expires: DayWords(days: days).time(one.expires))
    }

    private static func tag(_ one: InteractionStore.Enrolment, now: Int64) -> StateTag {
        if one.left > 0 { return StateTag("open", .good) }
        return one.expires <= now ? StateTag("expired", .plain) : StateTag("used up", .plain)
    }

    /// Returns what is known of codes that somebody is about to revoke.
    func facts(_ one: InteractionStore.Enrolment) -> [LabelledFact] {
        [
            LabelledFact("Label", one.label), LabelledFact("Codes", "\(one.codes)"),
            LabelledFact("Uses", "\(one.uses)"), LabelledFact("Used", "\(one.used)"),
            LabelledFact("Latest expiry", DayWords(days: days).time(one.expires)),
        ]
    }

    /// Answer to an operator whose codes are no longer those of the question.
    static let changed =
        "The codes of this label are others than a moment ago: this is how they are now. You have changed nothing."

    /// Returns a number of codes: `1 code`.
    static func count(_ codes: Int) -> String { "\(codes) \(codes == 1 ? "code" : "codes")" }

    /// Returns which of the labels are shown, in sentences.
    static func extent(_ part: TablePart) -> String {
        part.extent("Labels") + (part.isAll ? "" : " Those that expire last come first.")
    }

    /// Returns who can enrol.
    static func rule(needsCode: Bool) -> String {
        needsCode
            ? "A phone enrols with a code that you give to its owner. Nothing waits for a decision: a right code enrols "
                + "at once."
            : "Any phone enrols, without a code, because phones.enrolment is \"open\" in the configuration. Codes are "
                + "not asked for."
    }

    /// Returns what happens when codes are revoked.
    static func effects(_ one: InteractionStore.Enrolment) -> [String] {
        [
            "No further phone enrols with the \(one.codes == 1 ? "code" : "\(one.codes) codes") of this label.",
            "Phones that have enrolled stay enrolled: \(one.used).", "Owners who still need a code need a new one.",
        ]
    }
}

extension InteractionStore.Enrolment.Extent {
    /// Reads what a form says of the codes that were seen; `nil` if it says nothing.
    init?(field: String) {
        let numbers = field.split(separator: " ").map { Int64($0) }
        guard numbers.count == 3, let codes = numbers[0], let uses = numbers[1], let expires = numbers[2] else {
            return nil
        }
        self.init(codes: Int(codes), uses: Int(uses), expires: expires)
    }

    /// The codes in a field of a form.
    var field: String { "\(codes) \(uses) \(expires)" }
}
