/// The commands that a module has not answered yet. Determines which of them an answer belongs to.
///
/// A module answers each command once, in the order of the commands. Because answers can be lost on the line, the order
/// alone does not identify an answer. The answer to the query for the firmware's version looks like no other: when it
/// arrives, every command sent before that query is finished.
package struct OutstandingCommands: Sendable {
    /// A command number, which increases with each command sent.
    package typealias Number = UInt64

    private struct Sent {
        var number: Number
        var asksVersion: Bool
        var isQuery: Bool
    }

    /// Unanswered commands, the oldest first.
    private var sent: [Sent] = []
    private var last: Number = 0

    /// Maximum number of commands; no dialogue can send more in its time.
    private static let most = 256

    package var isEmpty: Bool { sent.isEmpty }

    /// Whether an answer other than a version is outstanding.
    var hasOthersThanVersions: Bool { sent.contains { !$0.asksVersion } }

    var asksVersion: Bool { sent.contains { $0.asksVersion } }

    /// Whether the next answer must be a version, if none was lost.
    var expectsVersion: Bool { sent.first?.asksVersion == true }

    /// Whether the next answer other than a version must have a value.
    var expectsValue: Bool { sent.first { !$0.asksVersion }?.isQuery == true }

    @discardableResult
    package mutating func send(_ command: RS9116Command) -> Number {
        last += 1
        if sent.count == Self.most { sent.removeFirst() }
        sent.append(Sent(number: last, asksVersion: command == .firmwareVersion, isQuery: command.isQuery))
        return last
    }

    /// Records a version, which answers the oldest query for it. Answers to earlier commands were lost.
    ///
    /// - Returns: the number of that query; `nil` when none is outstanding.
    mutating func takeVersion() -> Number? {
        guard let index = sent.firstIndex(where: \.asksVersion) else { return nil }
        let number = sent[index].number
        sent.removeFirst(index + 1)
        return number
    }

    /// Records an `OK` that is not a version. Versions that should have come before it were lost.
    mutating func takeOK() -> Number? {
        guard let index = sent.firstIndex(where: { !$0.asksVersion }) else { return nil }
        let number = sent[index].number
        sent.removeFirst(index + 1)
        return number
    }

    /// Records a refusal. A query for the version that was damaged in transit is refused like any other command.
    mutating func takeRefusal() -> Number? { sent.isEmpty ? nil : sent.removeFirst().number }

    /// Removes all commands, because the module was reset or has been silent for so long that no answer can come.
    package mutating func removeAll() { sent.removeAll() }
}
