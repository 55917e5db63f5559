import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

/// Self-report as far as it was typed. It is checked again at each step. Pure.
struct SelfReportForm: Equatable, Sendable {
    /// Proof of the positive test.
    ///
    /// The reference is that of the report that becomes of it, so that sending it twice does nothing more.
    enum Proof: Equatable, Sendable {
        /// Code as it was typed.
        case code(String, reference: String)
        /// Picture, whose draft has the reference; `nil` before a picture was taken.
        case picture(reference: String?)

        /// Kind of proof, as addresses name it.
        enum Kind: String, Sendable {
            case code, picture
        }

        var kind: Kind {
            switch self {
            case .code: .code
            case .picture: .picture
            }
        }

        var reference: String? {
            switch self {
            case .code(_, let reference): reference
            case .picture(let reference): reference
            }
        }
    }

    /// Step that has a page of its own after the first.
    enum Step: String, Sendable {
        case code, picture, details, review

        var path: String {
            switch self {
            case .code, .picture: PageRoute.selfReport.path + "?with=" + rawValue
            case .details, .review: PageRoute.selfReport.path + "?step=" + rawValue
            }
        }
    }

    /// Problem that the page of a step states.
    struct Problem: Equatable, Sendable {
        var step: Step
        var status: Int
        /// Sentences; empty for mistakes in the details, which are found again.
        var text: String

        init(_ step: Step, _ status: Int, _ text: String) {
            self.step = step
            self.status = status
            self.text = text
        }
    }

    var proof: Proof
    /// Changes whenever anything is typed: what is sent is what was shown last.
    var version = ""
    var test = ""
    var onset = ""
    var order = ""
    var name = ""
    var number = ""
    var contact = ""
    var problem: Problem?

    static let longestOrder = 100
    static let longestContact = 200
    private static let longestCode = 64
    private static let longestDay = 10
    private static let referenceLength = 22

    init(_ proof: Proof) { self.proof = proof }

    /// Code as it was typed; empty with a picture.
    var code: String {
        switch proof {
        case .code(let text, _): text
        case .picture: ""
        }
    }

    var reference: String? { proof.reference }
    var hasPicture: Bool { proof.kind == .picture }

    /// Takes the code that was typed.
    ///
    /// The reference of a picture stays that of its draft. Another code is another report: if the answer to the first
    /// was lost, it must not be taken for that one.
    ///
    /// - Parameter fresh: reference for another report.
    mutating func take(code text: String, fresh: String) {
        let typed = Self.line(text, Self.longestCode)
        if case .code(let earlier, _) = proof, earlier == typed { return }
        proof = .code(typed, reference: fresh)
    }

    /// Takes the details that were typed. A form without a field leaves what it is about.
    mutating func take(details fields: [String: String]) {
        func set(_ name: String, _ longest: Int, _ field: WritableKeyPath<Self, String>) {
            if let text = fields[name] { self[keyPath: field] = Self.line(text, longest) }
        }
        set("test", Self.longestDay, \.test)
        set("onset", Self.longestDay, \.onset)
        set("order", Self.longestOrder, \.order)
        set("name", Person.longestName, \.name)
        set("number", Person.longestNumber, \.number)
        set("contact", Self.longestContact, \.contact)
    }

    /// Returns a text on one line, at most one Unicode scalar longer than it may be, so that one that is too long is
    /// refused and not cut.
    private static func line(_ text: String, _ longest: Int) -> String {
        let line = text.split { $0.isWhitespace || $0 == "\0" }.joined(separator: " ")
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(longest + 1)))
    }

    /// Whether a text has the form of a reference: 22 characters of base64url.
    static func isReference(_ text: String) -> Bool {
        text.utf8.count == referenceLength
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-_".utf8.contains(byte)
            }
    }

    /// The form of the details as it was typed.
    var typed: SelfReportPage.Form {
        SelfReportPage.Form(
            test: test, onset: onset, order: order, name: name, number: number, contact: contact)
    }

    /// Details that were checked.
    struct Details: Sendable {
        /// Days since 1970. The day of the test is `nil` for a code, which has it.
        var test: Int64?
        var onset: Int64?
        var order: String
        var sender: SubmittedResult.Sender
    }

    enum Checked: Sendable {
        case details(Details)
        /// The form with what is wrong with it.
        case mistakes(SelfReportPage.Form)
    }

    /// Checks the details.
    ///
    /// - Parameter own: the person who is signed in, who does not type a name and a number.
    func checked(own: SubmittedResult.Sender?, policy: Policy, days: CalendarDays, now: Int64) -> Checked {
        var form = typed
        let (test, onset) = checkedDays(&form, policy: policy, days: days, now: now)
        func line(_ field: inout TypedField, _ longest: Int) -> String {
            // What a screen does not show could make one name look like another.
            if field.text.shown(upTo: longest) != field.text {
                field.mistake = "This can have at most \(longest) characters, and no control characters."
            }
            return field.text
        }
        let order = hasPicture ? line(&form.order, Self.longestOrder) : ""
        let contact = line(&form.contact, Self.longestContact)
        var sender = SubmittedResult.Sender(name: own?.name ?? "", number: own?.number ?? "", contact: contact)
        if own == nil {
            sender.name = line(&form.name, Person.longestName)
            sender.number = line(&form.number, Person.longestNumber)
            if FoldedName(sender.name).isEmpty { form.name.mistake = "Type your full name." }
        }
        guard !form.hasMistakes else { return .mistakes(form) }
        return .details(Details(test: test, onset: onset, order: order, sender: sender))
    }

    private func checkedDays(
        _ form: inout SelfReportPage.Form, policy: Policy, days: CalendarDays, now: Int64
    ) -> (test: Int64?, onset: Int64?) {
        // A code has the day of the test, which is checked with the code.
        var test = hasPicture ? form.test : TypedField()
        if hasPicture, test.text.isEmpty {
            form.test.mistake = "Type the day on which the sample was taken."
            return (nil, nil)
        }
        if test.text.isEmpty, form.onset.text.isEmpty { return (nil, nil) }
        let (positive, _) = ReportDraft.positive(
            test: &test, onset: &form.onset, .confirmed, policy: policy, days: days, now: now)
        form.test.mistake = test.mistake
        return (positive.test, positive.onset)
    }
}
