import MatcherCore
import OperatorText
import Pages

/// Verification codes as an officer asked for them, with the checks before they are issued. Pure.
struct CodesDraft: Sendable {
    /// The form as it was typed.
    var form: CodesPage.Form
    /// Name of the form: it issues codes once.
    var once: String

    /// Maximum number of codes that are issued with one press of the button.
    static let mostCodes = 20
    /// Begin of the object of the audit's entry about codes of a form.
    static let formPrefix = "form "
    /// Length in bytes of the name of a form: 128 bits in base64url.
    private static let onceLength = 22

    init(_ fields: [String: String]) {
        form = CodesPage.Form(
            test: fields["test"] ?? "", onset: fields["onset"] ?? "", isLong: fields["form"] == "long",
            minutes: fields["minutes"] ?? "", count: fields["count"] ?? "")
        once = fields["once"] ?? ""
    }

    /// Codes that can be issued, as far as that is known without the store and the policy.
    struct Order: Sendable {
        var codes: VerificationCodes
        var count: Int
        /// Object of the audit's entry, by which a form that is sent again is known.
        var form: String
    }

    /// Result of the checks.
    enum Checked: Sendable {
        case order(Order)
        /// The form with what is wrong with it.
        case mistakes(CodesPage.Form)
    }

    /// Checks the form of each value.
    func checked() -> Checked {
        var form = form
        let test = DayText.parse(form.test.text)
        let onset = DayText.parse(form.onset.text)
        if test == nil { form.test.mistake = "This must be \(DayText.form)." }
        if !form.onset.text.isEmpty, onset == nil { form.onset.mistake = "This must be \(DayText.form)." }
        let bounds = VerificationCodes.validities
        let validity = Int64(form.minutes.text).flatMap { minutes in
            (bounds.lowerBound / 60...bounds.upperBound / 60).contains(minutes) ? minutes * 60 : nil
        }
        // Long codes have a validity of their own.
        if !form.isLong, validity == nil {
            form.minutes.mistake = "This must be from \(bounds.lowerBound / 60) to \(bounds.upperBound / 60)."
        }
        if once.utf8.count != Self.onceLength {
            form.obstacle = "The form was not complete. Issue the codes again."
        }
        let count = Int(form.count.text).flatMap { (1...Self.mostCodes).contains($0) ? $0 : nil }
        if count == nil { form.count.mistake = "This must be from 1 to \(Self.mostCodes)." }
        guard !form.hasMistakes, let test, let count else { return .mistakes(form) }
        let codes = VerificationCodes(
            test: test, onset: onset, isLong: form.isLong, validity: validity ?? VerificationCodes.standardValidity)
        return .order(Order(codes: codes, count: count, form: Self.formPrefix + once))
    }

    /// Returns the form with a refusal beside the field that it is about.
    func refused(_ refusal: CodeRefusal) -> CodesPage.Form {
        var form = form
        let text = [refusal.what, refusal.remedy].compactMap { $0?.asSentence }
            .joined(separator: " ")
        switch refusal {
        case .day(let mistake) where mistake.key == .onset: form.onset.mistake = text
        case .day: form.test.mistake = text
        case .tooMany, .shownBefore: form.obstacle = text
        }
        return form
    }
}
