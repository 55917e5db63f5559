package import BeaconModel
import HCI
package import RecordContract

/// Admission of commands: decides what is done about each message on the command topics. Pure; times come from a
/// monotonic clock.
///
/// A broker can deliver a command twice (MQTT 3.1.1, section 4.3.2). A second `reset` does harm where a second reply
/// does none. So a command is carried out once if it has a correlation, in its JSON or as MQTT 5's correlation data,
/// and comes again within a minute with the same name and contents. Its reply is repeated, or follows when the first
/// one is done. Without a correlation a repetition cannot be told from a second request, and each is carried out.
///
/// With a key in the rules only signed commands are obeyed, each once: see `CommandSignatures`.
package struct CommandAdmission: Sendable {
    private let topics: Topics
    private let prefix: String
    private var rules: CommandRules
    private var bucket: TokenBucket
    /// Limits the replies that report too many commands or a refused signature.
    private var complaints = TokenBucket(interval: .seconds(1), burst: 1)
    /// Limits the replies to repeated signed commands, which any client can send.
    private var repetitions: TokenBucket
    private var recent: [Recent] = []
    private var signatures: CommandSignatures
    private var lastTicket: UInt64 = 0
    package private(set) var counts = Counts()

    package struct Counts: Encodable, Equatable, Sendable {
        /// Messages on the command topics.
        package var received: UInt64 = 0
        package var carriedOut: UInt64 = 0
        /// Messages that were not understood, were retained or name an unknown command, and signed commands that were
        /// rejected.
        package var refused: UInt64 = 0
        package var tooMany: UInt64 = 0
        package var repeated: UInt64 = 0

        package init(
            received: UInt64 = 0, carriedOut: UInt64 = 0, refused: UInt64 = 0, tooMany: UInt64 = 0, repeated: UInt64 = 0
        ) {
            self.received = received
            self.carriedOut = carriedOut
            self.refused = refused
            self.tooMany = tooMany
            self.repeated = repeated
        }
    }

    /// A command with a correlation, kept for as long as it can be repeated.
    private struct Recent: Sendable {
        var name: String
        var payload: [UInt8]
        var correlationData: [UInt8]?
        var at: Duration
        var ticket: UInt64
        /// The reply; `nil` while the command is being carried out.
        var reply: CommandReply?
    }

    /// Maximum number of remembered commands. At the greatest rate that covers less than a minute.
    private static let mostRecent = 128

    package enum Decision: Equatable, Sendable {
        /// The message is dropped without a reply.
        case ignored
        case answered(CommandReply, ReplyAddress)
        /// The earlier reply is sent again.
        case repeated(CommandReply, ReplyAddress)
        case carryOut(Order)
    }

    /// A command to carry out and then answer.
    package struct Order: Equatable, Sendable {
        /// Unique number of the order.
        package var ticket: UInt64
        package var name: String
        package var request: RemoteCommand.Request
        package var address: ReplyAddress

        package func reply(_ outcome: CommandOutcome) -> CommandReply {
            var reply = CommandReply(
                command: name, correlation: request.correlation, ok: outcome.ok, text: outcome.text)
            switch request.command {
            case .module(_, let module): reply.module = module
            case .rescan(let adapter): reply.adapter = adapter?.description
            case .provisionAll, .configure, .confirm: break
            }
            return reply
        }
    }

    /// - Parameters:
    ///   - prefix: the prefix of all gateways' topics, with the version.
    ///   - start: the time of day at which the gateway was started.
    package init(topics: Topics, prefix: String, rules: CommandRules, start: Timestamp = .epoch) {
        self.topics = topics
        self.prefix = prefix
        self.rules = rules
        bucket = Self.bucket(rules)
        repetitions = Self.repetitions(rules)
        signatures = CommandSignatures(start: start)
    }

    /// Replaces the limits. If they are unchanged, the tokens already used stay used.
    package mutating func setRules(_ rules: CommandRules) {
        guard rules != self.rules else { return }
        self.rules = rules
        bucket = Self.bucket(rules)
        repetitions = Self.repetitions(rules)
    }

    private static func bucket(_ rules: CommandRules) -> TokenBucket {
        TokenBucket(interval: .seconds(60) / max(1, rules.perMinute), burst: rules.burst)
    }

    /// Returns the limit of repetitions: after a broken connection a broker delivers again, all at once, what it had
    /// sent.
    private static func repetitions(_ rules: CommandRules) -> TokenBucket {
        TokenBucket(interval: .seconds(1), burst: rules.burst)
    }

    /// - Parameters:
    ///   - now: time since the gateway was started.
    ///   - wall: the time of day; only a signed command needs it.
    package mutating func take(_ message: MQTTMessage, now: Duration, wall: Timestamp) -> Decision {
        guard let name = topics.command(message.topic), Topics.isLevel(name), name.utf8.count <= 32 else {
            return .ignored
        }
        // An empty retained message deletes a retained message.
        if message.isRetained, message.payload.isEmpty { return .ignored }
        counts.received += 1
        let address = ReplyAddress(to: name, message.properties, topics: topics, prefix: prefix)
        if let key = rules.key {
            return takeSigned(message, name, key: key, address, now: now, wall: wall)
        }
        return takeAny(message, name, address, now: now)
    }

    /// Decides about a message where a key is required. A client without the key uses up none of the limit of those
    /// with the key, and gets at most one answer a second.
    private mutating func takeSigned(
        _ message: MQTTMessage, _ name: String, key: SigningKey, _ address: ReplyAddress, now: Duration, wall: Timestamp
    ) -> Decision {
        switch signatures.check(message, named: name, key: key, now: now, wall: wall) {
        case .first(let use):
            if let refusal = refusal(of: message, name, address, now: now) { return refusal }
            if let use { signatures.use(use) }
            return obey(message, name, address, now: now)
        case .again:
            counts.repeated += 1
            let payload = RemoteCommand.fingerprint(message.payload)
            guard repetitions.take(at: now) == nil,
                let before = recent.first(where: { $0.name == name && $0.payload == payload }),
                now - before.at <= rules.repeatWindow, let reply = before.reply
            else { return .ignored }
            return .repeated(reply, address)
        case .refused(let correlation, let text):
            counts.refused += 1
            guard complaints.take(at: now) == nil else { return .ignored }
            return .answered(refusal(name, correlation, text), address)
        }
    }

    private mutating func takeAny(
        _ message: MQTTMessage, _ name: String, _ address: ReplyAddress, now: Duration
    ) -> Decision {
        if let refusal = refusal(of: message, name, address, now: now) { return refusal }
        guard !RemoteCommand.rolloutNames.contains(name) else {
            counts.refused += 1
            return .answered(
                refusal(
                    name, "",
                    "this gateway has no commands.key-file, so anybody could have sent this; it is only configured "
                        + "locally"), address)
        }
        return obey(message, name, address, now: now)
    }

    /// Returns the refusal of a message that is not examined: one over the limit, or a retained one.
    private mutating func refusal(
        of message: MQTTMessage, _ name: String, _ address: ReplyAddress, now: Duration
    ) -> Decision? {
        if let wait = bucket.take(at: now) {
            counts.tooMany += 1
            guard complaints.take(at: now) == nil else { return .ignored }
            let seconds = max(1, Int(wait.inSeconds.rounded(.up)))
            let correlation =
                switch RemoteCommand.read(name: name, message.payload) {
                case .success(let request): request.correlation
                case .failure(let refusal): refusal.correlation
                }
            return .answered(
                refusal(name, correlation, "too many commands; next in \(seconds) s"), address)
        }
        // A retained command would be obeyed again at every connection to the broker.
        guard !message.isRetained else {
            counts.refused += 1
            return .answered(refusal(name, "", "retained commands are ignored"), address)
        }
        return nil
    }

    private mutating func obey(
        _ message: MQTTMessage, _ name: String, _ address: ReplyAddress, now: Duration
    ) -> Decision {
        switch RemoteCommand.read(name: name, message.payload) {
        case .failure(let reason):
            counts.refused += 1
            return .answered(refusal(name, reason.correlation, reason.text), address)
        case .success(let request): return take(request, name, message, address, now)
        }
    }

    private mutating func take(
        _ request: RemoteCommand.Request, _ name: String, _ message: MQTTMessage, _ address: ReplyAddress,
        _ now: Duration
    ) -> Decision {
        recent.removeAll { now - $0.at > rules.repeatWindow && $0.reply != nil }
        let payload = RemoteCommand.fingerprint(message.payload)
        let isNamed = !request.correlation.isEmpty || message.properties.correlationData?.isEmpty == false
        if isNamed,
            let before = recent.first(where: {
                $0.name == name && $0.payload == payload
                    && $0.correlationData == message.properties.correlationData
            })
        {
            counts.repeated += 1
            return before.reply.map { .repeated($0, address) } ?? .ignored
        }
        lastTicket += 1
        counts.carriedOut += 1
        if isNamed {
            if recent.count >= Self.mostRecent { recent.removeFirst() }
            recent.append(
                Recent(
                    name: name, payload: payload, correlationData: message.properties.correlationData, at: now,
                    ticket: lastTicket))
        }
        return .carryOut(Order(ticket: lastTicket, name: name, request: request, address: address))
    }

    /// Stores the outcome of an order and returns the reply.
    package mutating func finish(_ order: Order, _ outcome: CommandOutcome) -> CommandReply {
        let reply = order.reply(outcome)
        if let index = recent.firstIndex(where: { $0.ticket == order.ticket }) { recent[index].reply = reply }
        return reply
    }

    private func refusal(_ name: String, _ correlation: String, _ text: String) -> CommandReply {
        CommandReply(command: name, correlation: correlation, ok: false, text: text)
    }
}
