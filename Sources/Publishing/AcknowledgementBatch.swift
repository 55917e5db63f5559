/// Acknowledgements that the thread of a connection collects for the connection's owner, and the messages and
/// subscriptions that the broker has not answered. Pure.
///
/// A wake-up for each acknowledgement would cost more than the acknowledgement.
package struct AcknowledgementBatch: Sendable {
    /// Parts into which the window is divided. Acknowledgements are reported, and new records offered, one part at a
    /// time.
    package static let shares = 4

    /// What to do about the collected acknowledgements.
    package enum Report: Equatable, Sendable {
        /// There is nothing to report, or the owner has been told and has not taken the numbers yet.
        case nothing
        /// Few acknowledgements wait, and more are expected.
        case heldBack
        /// The owner must be told now.
        case due
    }

    private enum Collected {
        case untold
        /// The owner was told of the numbers and has not taken them yet.
        case told
    }

    private var numbers: [Int32] = []
    private var collected = Collected.untold
    /// Messages without an answer yet: a PUBACK, or for QoS 0 the confirmation that they were sent.
    private var outstanding = 0
    /// Number of acknowledgements that are reported at once while more are expected.
    private var share = 0
    private var answers = AwaitedAnswers()
    /// Received messages. In a consumer's session they precede answers.
    private var received: UInt64 = 0
    /// Subscriptions that the broker has not answered yet.
    private var subscriptions = 0

    package init() {
    }

    /// Number of answers from the broker so far.
    package var answered: UInt64 { answers.answered }

    /// Sets the size of a report to a share of the window that broker and client have agreed on.
    package mutating func accept(window: Int) { share = window / Self.shares }

    // MARK: Requests

    /// Counts a message before it is handed to the library, which may report its answer before it returns the number.
    package mutating func willPublish() { outstanding += 1 }

    /// Records the number of a message that was counted by `willPublish`.
    package mutating func published(_ number: Int32) { answers.sent(number) }

    /// Takes back a message that the library did not accept.
    package mutating func notPublished() { outstanding -= 1 }

    /// Counts a subscription before it is handed to the library.
    package mutating func willSubscribe() { subscriptions += 1 }

    /// Records the number of a subscription that was counted by `willSubscribe`.
    package mutating func subscribed(_ number: Int32) { answers.sent(number) }

    // MARK: Answers

    /// Handles the answer to a message.
    ///
    /// - Parameter isTaken: whether the broker has accepted the message.
    package mutating func answered(_ number: Int32, isTaken: Bool) {
        outstanding -= 1
        answers.answered(number)
        if isTaken { numbers.append(number) }
    }

    /// Handles the answer to a subscription.
    ///
    /// - Returns: whether a subscription was outstanding.
    package mutating func answeredSubscription(_ number: Int32) -> Bool {
        guard subscriptions > 0 else { return false }
        subscriptions -= 1
        answers.answered(number)
        return true
    }

    /// Counts a message that the broker has sent.
    package mutating func receive() { received &+= 1 }

    // MARK: Reports

    /// Decides whether the owner is told of the collected acknowledgements. After `due` it counts as told.
    ///
    /// - Parameter all: whether to report them even if they are few and more are expected.
    package mutating func report(all: Bool) -> Report {
        guard !numbers.isEmpty, case .untold = collected else { return .nothing }
        if !all, outstanding > 0, numbers.count < share { return .heldBack }
        collected = .told
        return .due
    }

    /// Returns the numbers of the messages that were acknowledged since the last call.
    package mutating func take() -> [Int32] {
        defer { (numbers, collected) = ([], .untold) }
        return numbers
    }

    /// Returns the present state of the awaited answers.
    ///
    /// - Parameters:
    ///   - isAccepted: whether the broker has accepted the connection. The time until then has a limit of its own.
    ///   - delivered: bytes that the other end has confirmed.
    ///   - isSending: whether bytes are in transit.
    package func sight(isAccepted: Bool, delivered: UInt64, isSending: Bool) -> AnswerWatch.Sight {
        AnswerWatch.Sight(
            awaited: isAccepted ? answers.count : 0, answered: answers.answered,
            answeredInOrder: answers.answeredInOrder, received: received, delivered: delivered, isSending: isSending)
    }
}
