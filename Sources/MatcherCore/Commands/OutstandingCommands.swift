import BeaconModel

/// Commands to modules that wait for the replies of their gateways: which are sent, and what is answered to their
/// senders. Pure; times come from a monotonic clock.
package struct OutstandingCommands: Sendable {
    /// Time within which a gateway must reply. The sender of the command waits for it.
    package static let patience: Duration = .seconds(15)
    /// Maximum number of commands that wait for replies.
    package static let most = 8
    /// Maximum number of commands of one account that wait for replies.
    package static let mostOfAccount = 2
    /// As many as a gateway obeys by default: 10 a minute, and 5 at once.
    private static let rate = TokenBucket(interval: .seconds(6), burst: 5)
    /// Number of accounts whose rate is remembered.
    private static let mostAccounts = 256

    package enum Input: Equatable, Sendable {
        /// An account gives a command.
        ///
        /// - Parameter correlation: a random value that no other command has.
        case given(ModuleCommand, account: String, correlation: String)
        /// The command could not be given to the broker.
        case unsent(correlation: String)
        /// A gateway replied.
        case replied(topic: String, GatewayReply)
        /// Time has passed.
        case timeReached
    }

    package enum Output: Equatable, Sendable {
        case send(ModuleCommand, correlation: String)
        case answer(correlation: String, CommandAnswer)
    }

    private struct Waiting: Sendable {
        var command: ModuleCommand
        var account: String
        var deadline: Duration
        /// The latest refusal of the gateway that names no command.
        var complaint: String?
    }

    private let prefix: String
    private var waiting: [String: Waiting] = [:]
    private var rates: KeyedTokenBuckets<String>

    /// - Parameter prefix: the first level of all topics.
    package init(prefix: String) {
        self.prefix = prefix
        rates = KeyedTokenBuckets(Self.rate, capacity: Self.mostAccounts)
    }

    /// Number of commands that wait for replies.
    package var count: Int { waiting.count }

    /// - Parameter now: time since the start of the program.
    package mutating func handle(_ input: Input, now: Duration) -> [Output] {
        switch input {
        case .given(let command, let account, let correlation):
            if let refusal = refusal(of: command, account, now: now) {
                return [.answer(correlation: correlation, refusal)]
            }
            waiting[correlation] = Waiting(command: command, account: account, deadline: now + Self.patience)
            return [.send(command, correlation: correlation)]
        case .unsent(let correlation):
            guard waiting.removeValue(forKey: correlation) != nil else { return [] }
            return [.answer(correlation: correlation, .unsent)]
        case .replied(let topic, let reply): return take(reply, topic)
        case .timeReached:
            let late = waiting.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
            for (correlation, _) in late { waiting[correlation] = nil }
            return late.map { .answer(correlation: $0.key, .unanswered(complaint: $0.value.complaint)) }
        }
    }

    private mutating func take(_ reply: GatewayReply, _ topic: String) -> [Output] {
        if reply.correlation.isEmpty {
            note(reply, topic)
            return []
        }
        // A reply that is not wholly to the command is to another one, or invented.
        guard let command = waiting[reply.correlation]?.command, isReply(reply, to: command, on: topic),
            reply.module.map({ $0 == command.module }) ?? !reply.isOK
        else { return [] }
        waiting[reply.correlation] = nil
        return [.answer(correlation: reply.correlation, reply.isOK ? .done(reply.text) : .refused(reply.text))]
    }

    /// Notes a refusal that names no command.
    ///
    /// A gateway reads nothing of a command with a wrong tag, or of one that it wants signed, so its refusal has no
    /// correlation. Anybody can provoke such a refusal: it does not end the wait for the reply to the command.
    private mutating func note(_ reply: GatewayReply, _ topic: String) {
        guard !reply.isOK else { return }
        for (correlation, found) in waiting where isReply(reply, to: found.command, on: topic) {
            waiting[correlation]?.complaint = reply.text
        }
    }

    private func isReply(_ reply: GatewayReply, to command: ModuleCommand, on topic: String) -> Bool {
        topic == command.replyTopic(prefix: prefix) && reply.command == command.name.rawValue
    }

    private mutating func refusal(of command: ModuleCommand, _ account: String, now: Duration) -> CommandAnswer? {
        let isBusy = waiting.values.contains {
            $0.command.gateway == command.gateway && $0.command.module == command.module
        }
        if isBusy { return .waiting }
        guard waiting.count < Self.most, waiting.values.count(where: { $0.account == account }) < Self.mostOfAccount
        else { return .tooManyWaiting }
        return rates.take(of: account, at: now).map { .tooMany(wait: $0) }
    }
}
