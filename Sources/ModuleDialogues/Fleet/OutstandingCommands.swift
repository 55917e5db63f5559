/// The commands that a module hasn't answered yet, and to which of them an answer belongs.
///
/// A module answers each command once, in the order in which it was asked. Because answers can be lost on the line, the
/// order alone doesn't tell whose an answer is. The answer to the question for the firmware's version looks like no other:
/// when it comes, everything that was sent before that question is over.
package struct OutstandingCommands: Sendable {
    /// Numbers that rise with each command that is sent.
    package typealias Number = UInt64

    private struct Sent {
        var number: Number
        var asksVersion: Bool
        var isQuery: Bool
    }

    /// The oldest first.
    private var sent: [Sent] = []
    private var last: Number = 0

    /// More can't be sent in the time that a dialogue takes.
    private static let most = 256

    package var isEmpty: Bool { sent.isEmpty }

    /// Whether an answer that isn't a version is still to come.
    var hasOthersThanVersions: Bool { sent.contains { !$0.asksVersion } }

    var asksVersion: Bool { sent.contains { $0.asksVersion } }

    /// Whether a version has to come next, if nothing was lost.
    var expectsVersion: Bool { sent.first?.asksVersion == true }

    /// Whether the answer that isn't a version and has to come next has a value.
    var expectsValue: Bool { sent.first { !$0.asksVersion }?.isQuery == true }

    @discardableResult
    package mutating func send(_ command: RS9116Command) -> Number {
        last += 1
        if sent.count == Self.most { sent.removeFirst() }
        sent.append(Sent(number: last, asksVersion: command == .firmwareVersion, isQuery: command.isQuery))
        return last
    }

    /// The version came. It answers the oldest question for it, and answers to what was sent before were lost.
    ///
    /// - Returns: the number of that question; `nil` when none is outstanding.
    mutating func takeVersion() -> Number? {
        guard let index = sent.firstIndex(where: \.asksVersion) else { return nil }
        let number = sent[index].number
        sent.removeFirst(index + 1)
        return number
    }

    /// An `OK` came that isn't a version. Versions that had to come before it were lost.
    mutating func takeOK() -> Number? {
        guard let index = sent.firstIndex(where: { !$0.asksVersion }) else { return nil }
        let number = sent[index].number
        sent.removeFirst(index + 1)
        return number
    }

    /// A refusal came. A question for the version that was damaged on its way is refused like anything else.
    mutating func takeRefusal() -> Number? { sent.isEmpty ? nil : sent.removeFirst().number }

    /// The module was reset, or is silent for so long that no answer can come.
    package mutating func removeAll() { sent.removeAll() }
}
