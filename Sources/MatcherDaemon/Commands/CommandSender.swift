import Logging
import MQTTBridge
import MatcherCore
import OperatorText
import RecordContract
import SystemIO

/// Sends commands of operators to modules, and waits for the replies of their gateways. `OutstandingCommands` decides.
///
/// It uses the connection on which this process publishes. The matcher that got the request sends the command, and
/// knows its own by their correlations.
actor CommandSender {
    private let publisher: MQTTPublisher
    private let prefix: String
    private let logger: Logger
    private let start = ContinuousClock.now
    private var outstanding: OutstandingCommands
    /// Whoever waits for an answer, by correlation.
    private var waiting: [String: CheckedContinuation<CommandAnswer, Never>] = [:]
    private var settings: [String: CommandSettings] = [:]
    /// Subscribes to a topic filter.
    private let subscribe: @Sendable (String) async -> AsyncStream<MQTTMessage>
    /// The subscription to replies; `nil` before the first command, and when it has ended.
    private var subscription: Subscription?
    /// Number of subscriptions so far.
    private var subscriptions = 0

    /// Subscription to the replies of gateways.
    private struct Subscription {
        /// Tells it from earlier ones, whose end no longer matters.
        var number: Int
        /// Ends when all filters are subscribed to.
        var ready: Task<Void, Never>
        var readers: [Task<Void, Never>] = []
    }

    /// - Parameters:
    ///   - prefix: the first level of all topics.
    ///   - subscribe: subscribes to a topic filter; `nil`: the publisher does.
    init(
        publisher: MQTTPublisher, prefix: String, logger: Logger,
        subscribe: (@Sendable (String) async -> AsyncStream<MQTTMessage>)? = nil
    ) {
        self.publisher = publisher
        self.prefix = prefix
        self.logger = logger
        if let subscribe {
            self.subscribe = subscribe
        } else {
            self.subscribe = { filter in await publisher.subscribe(to: filter) }
        }
        outstanding = OutstandingCommands(prefix: prefix)
    }

    /// Subscribes to the replies of gateways, once for all commands. Returns when every filter is subscribed to, even
    /// if another caller began.
    ///
    /// The publisher sends what it gets in that order, and subscribes again after each reconnect before it sends
    /// anything else. So the broker has the subscription before a command that is sent after this.
    func listen() async {
        if let subscription { return await subscription.ready.value }
        subscriptions += 1
        let number = subscriptions
        let ready = Task { await begin(number) }
        subscription = Subscription(number: number, ready: ready)
        await ready.value
    }

    /// Subscribes to all filters, and begins to read.
    private func begin(_ number: Int) async {
        var streams: [AsyncStream<MQTTMessage>] = []
        for filter in ModuleCommand.replyFilters(prefix: prefix) {
            let messages = await subscribe(filter)
            streams.append(messages)
        }
        // The readers start together, so that each can end the others.
        for messages in streams {
            let reader = Task {
                for await message in messages { take(message) }
                end(number)
            }
            subscription?.readers.append(reader)
        }
        logger.info("listening for replies to commands")
    }

    /// Forgets a subscription of which a part has ended. The next command subscribes anew.
    private func end(_ number: Int) {
        guard let ended = subscription, ended.number == number else { return }
        subscription = nil
        for reader in ended.readers { reader.cancel() }
    }

    /// Sends a command and returns what became of it. Returns after `OutstandingCommands.patience` at the latest.
    ///
    /// - Parameter account: whoever gives the command.
    func carryOut(
        _ command: ModuleCommand, account: String, settings: CommandSettings
    ) async -> CommandAnswer {
        // Commands can have been switched on by a reload.
        await listen()
        let correlation = HexadecimalText.of((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        let answer = await withCheckedContinuation { continuation in
            waiting[correlation] = continuation
            self.settings[correlation] = settings
            handle(.given(command, account: account, correlation: correlation))
        }
        logger.notice(
            "command to module",
            metadata: [
                "command": "\(command.name.rawValue)", "gateway": "\(command.gateway)", "module": "\(command.module)",
                "correlation": "\(correlation)", "result": "\(answer.summary)",
            ])
        return answer
    }

    private func take(_ message: MQTTMessage) {
        guard !message.isRetained, let reply = GatewayReply(message.payload) else { return }
        handle(.replied(topic: message.topic, reply))
    }

    private func handle(_ input: OutstandingCommands.Input) {
        for output in outstanding.handle(input, now: ContinuousClock.now - start) {
            switch output {
            case .send(let command, let correlation):
                Task { await send(command, correlation) }
                Task {
                    try? await Task.sleep(for: OutstandingCommands.patience)
                    handle(.timeReached)
                }
            case .answer(let correlation, let answer):
                settings[correlation] = nil
                waiting.removeValue(forKey: correlation)?.resume(returning: answer)
            }
        }
    }

    private func send(_ command: ModuleCommand, _ correlation: String) async {
        guard let settings = settings[correlation] else { return }
        guard await publisher.isConnected else { return handle(.unsent(correlation: correlation)) }
        let topic = command.topic(prefix: prefix)
        let message = CommandMessage(module: command.module, correlation: correlation, at: WallClock.now())
        await publisher.publishOnce(
            MQTTMessage(
                topic: topic, payload: message.encoded(for: topic, key: settings.key(of: command.gateway)),
                properties: .init(contentType: "application/json", expiry: OutstandingCommands.patience)))
    }
}
