import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

/// Self-report as far as it was typed. It travels in a sealed cookie, so that each step is a page of its own to which
/// the browser's Back leads, and is checked again at each step. Pure.
struct SelfReportForm: Equatable, Sendable {
    enum Proof: String, Sendable {
        case code, picture
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

    var proof: Proof?
    /// Code as it was typed.
    var code = ""
    /// Reference of the draft, and of what becomes of it.
    var reference: String?
    /// Changes whenever anything is typed: what is sent is what was shown last.
    var version = ""
    /// Whether it was sent; then nothing that was typed is left.
    var isSent = false
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

    init() {}

    /// Takes the code that was typed.
    mutating func take(code text: String) { code = Self.line(text, Self.longestCode) }

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

    /// Returns what the form of the details shows.
    func typed(suggestion: String?, own: SubmittedResult.Sender?) -> SelfReportPage.Typed {
        SelfReportPage.Typed(
            suggestion: suggestion, asksSample: proof == .picture, ownName: own.map { "\($0.name) (\($0.number))" },
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
        case mistakes(SelfReportPage.Mistakes)
    }

    /// Checks the details.
    ///
    /// - Parameter own: the person who is signed in, who does not type a name and a number.
    func checked(own: SubmittedResult.Sender?, policy: Policy, days: CalendarDays, now: Int64) -> Checked {
        var mistakes = SelfReportPage.Mistakes()
        let (test, onset) = checkedDays(&mistakes, policy: policy, days: days, now: now)
        func line(_ text: String, _ longest: Int, _ mistake: inout String?) -> String {
            // What a screen does not show could make one name look like another.
            if text.shown(upTo: longest) != text {
                mistake = "This can have at most \(longest) characters, and no control characters."
            }
            return text
        }
        let order = proof == .picture ? line(order, Self.longestOrder, &mistakes.order) : ""
        let contact = line(contact, Self.longestContact, &mistakes.contact)
        var sender = SubmittedResult.Sender(name: own?.name ?? "", number: own?.number ?? "", contact: contact)
        if own == nil {
            sender.name = line(name, Person.longestName, &mistakes.name)
            sender.number = line(number, Person.longestNumber, &mistakes.number)
            if FoldedName(sender.name).isEmpty { mistakes.name = "Type your full name." }
        }
        guard mistakes.isEmpty else { return .mistakes(mistakes) }
        return .details(Details(test: test, onset: onset, order: order, sender: sender))
    }

    private func checkedDays(
        _ mistakes: inout SelfReportPage.Mistakes, policy: Policy, days: CalendarDays, now: Int64
    ) -> (test: Int64?, onset: Int64?) {
        let test = proof == .picture ? test : ""
        if proof == .picture, test.isEmpty {
            mistakes.test = "Type the day on which the sample was taken."
            return (nil, nil)
        }
        // A code has the day of the test, which is checked with the code.
        if test.isEmpty, onset.isEmpty { return (nil, nil) }
        var found = NewReportPage.Mistakes()
        let (positive, _) = ReportDraft.positive(
            test: test, onset: onset, .confirmed, &found, policy: policy, days: days, now: now)
        mistakes.test = found.test
        mistakes.onset = found.onset
        return (positive.test, positive.onset)
    }
}
