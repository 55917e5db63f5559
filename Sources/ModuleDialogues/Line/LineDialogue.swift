/// A dialogue over a serial line, as a pure state machine: inputs and the time in, steps out.
///
/// The dialogue begins with `.opened`. What its owner may request and what it reports are types of its own, so that
/// neither side has cases that do not apply to it.
public protocol LineDialogue<Request, Output>: Sendable {
    /// What the owner may request; `Never` for a dialogue that takes no requests.
    associatedtype Request: Equatable, Sendable
    /// What the dialogue reports to its owner.
    associatedtype Output: Equatable, Sendable

    /// Handles an input.
    ///
    /// - Parameter now: the time on a clock that never goes backwards.
    mutating func handle(_ input: LineInput<Request>, now: Duration) -> [LineStep<Output>]
}

/// An input to a dialogue over a serial line.
public enum LineInput<Request: Equatable & Sendable>: Equatable, Sendable {
    /// The port is open, for the first time or again.
    case opened
    /// Bytes from the module, in pieces of any size.
    case bytes([UInt8])
    /// The time of the last `LineAction.wait` has elapsed.
    case deadline
    /// A notice that the port is about to be released: the dialogue must bring the module into the state in which it
    /// should remain, and end.
    case leave
    /// A request of the owner.
    case request(Request)
}

/// An action on a serial line.
public enum LineAction: Equatable, Sendable {
    /// Bytes to send to the module.
    case send([UInt8])
    /// A change of the line's speed, in baud.
    case setBaudRate(Int)
    /// A pulse on DTR and RTS, low and high again. On some boards they are wired to the module's reset.
    case pulseControlLines
    /// A request for `LineInput.deadline` after this time. It replaces any earlier request.
    case wait(Duration)
}

/// A step of a dialogue: an action on the line, or an output for the owner. Steps are carried out in order.
public enum LineStep<Output: Equatable & Sendable>: Equatable, Sendable {
    /// An action that the owner carries out on the line.
    case line(LineAction)
    /// A result or an event for the owner.
    case output(Output)
}

extension LineStep {
    static func send(_ bytes: [UInt8]) -> Self { .line(.send(bytes)) }
    static func wait(_ duration: Duration) -> Self { .line(.wait(duration)) }
    static var pulseControlLines: Self { .line(.pulseControlLines) }
    static func setBaudRate(_ rate: Int) -> Self { .line(.setBaudRate(rate)) }
}
