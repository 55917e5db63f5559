package import BeaconModel
import HCI
package import RecordContract

/// Decides what is done about each message on the command topics. Pure: time arrives by a clock that nobody sets.
///
/// A broker may deliver a command twice (MQTT 3.1.1, section 4.3.2), and a second `reset` does harm where a second reply
/// does none. So a command with a correlation, in its JSON or as MQTT 5's correlation data, that comes again within a minute
/// with the same name and contents is carried out once; its reply is repeated, or follows when the first one is done. Without
/// a correlation nobody can tell a repetition from a second wish, and each is carried out.
///
/// With a key in the rules only signed commands are obeyed, each once: `CommandSignatures` says which.
package struct CommandDesk: Sendable {
    private let topics: Topics
    private let prefix: String
    private var rules: CommandRules
    private var bucket: TokenBucket
    /// Of replies that say that there were too many.
    private var complaints = TokenBucket(interval: .seconds(1), burst: 1)
    /// Limits the replies to signed commands that come again, which anybody can send.
    private var repetitions: TokenBucket
    private var recent: [Recent] = []
    private var signatures: CommandSignatures
    private var lastTicket: UInt64 = 0
    package private(set) var counts = Counts()

    package struct Counts: Encodable, Equatable, Sendable {
        /// Messages on the command topics.
        package var received: UInt64 = 0
        package var carriedOut: UInt64 = 0
        /// Not understood, retained, or unknown.
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

    /// A command with a correlation, for as long as it may come again.
    private struct Recent: Sendable {
        var name: String
        var payload: [UInt8]
        var correlationData: [UInt8]?
        var at: Duration
        var ticket: UInt64
        /// `nil` while it is carried out.
        var reply: CommandReply?
    }

    /// So many commands are remembered; with the greatest rate that is less than a minute.
    private static let mostRecent = 128

    package enum Decision: Equatable, Sendable {
        /// Nothing is done, and nobody is answered.
        case ignored
        case answered(CommandReply, ReplyAddress)
        /// The same as before is said again.
        case repeated(CommandReply, ReplyAddress)
        case carryOut(Order)
    }

    /// A command that is to be carried out, and answered then.
    package struct Order: Equatable, Sendable {
        /// No other order has it.
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
            case .provisionAll: break
            }
            return reply
        }
    }

    /// - Parameters:
    ///   - prefix: of all gateways' topics, with the version.
    ///   - start: what the clock says now, when the gateway is started.
    package init(topics: Topics, prefix: String, rules: CommandRules, start: Timestamp = .epoch) {
        self.topics = topics
        self.prefix = prefix
        self.rules = rules
        bucket = Self.bucket(rules)
        repetitions = Self.repetitions(rules)
        signatures = CommandSignatures(start: start)
    }

    /// Takes other limits from now on. The same limits leave what was used of them as it is.
    package mutating func setRules(_ rules: CommandRules) {
        guard rules != self.rules else { return }
        self.rules = rules
        bucket = Self.bucket(rules)
        repetitions = Self.repetitions(rules)
    }

    private static func bucket(_ rules: CommandRules) -> TokenBucket {
        TokenBucket(interval: .seconds(60) / max(1, rules.perMinute), burst: rules.burst)
    }

    /// After a connection broke a broker brings again what it had sent, all at once.
    private static func repetitions(_ rules: CommandRules) -> TokenBucket {
        TokenBucket(interval: .seconds(1), burst: rules.burst)
    }

    /// - Parameters:
    ///   - now: since the gateway was started.
    ///   - wall: the time of day; only a signed command needs it.
    package mutating func take(_ message: MQTTMessage, now: Duration, wall: Timestamp) -> Decision {
        guard let name = topics.command(message.topic), Topics.isLevel(name), name.utf8.count <= 32 else {
            return .ignored
        }
        // That is how a retained message is taken back.
        if message.isRetained, message.payload.isEmpty { return .ignored }
        counts.received += 1
        let address = ReplyAddress(to: name, message.properties, topics: topics, prefix: prefix)
        if let key = rules.key {
            return takeSigned(message, name, key: key, address, now: now, wall: wall)
        }
        return takeAny(message, name, address, now: now)
    }

    /// Who can't sign uses nothing up of what those may who can, and gets an answer once a second.
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
            guard repetitions.take(at: now) == nil,
                let before = recent.first(where: { $0.name == name && $0.payload == message.payload }),
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
        refusal(of: message, name, address, now: now) ?? obey(message, name, address, now: now)
    }

    /// What becomes of a message that isn't looked at.
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
        // It would be obeyed again at every connection to the broker.
        guard !message.isRetained else {
            counts.refused += 1
            return .answered(refusal(name, "", "a retained command isn't obeyed"), address)
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
        let isNamed = !request.correlation.isEmpty || message.properties.correlationData?.isEmpty == false
        if isNamed,
            let before = recent.first(where: {
                $0.name == name && $0.payload == message.payload
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
                    name: name, payload: message.payload, correlationData: message.properties.correlationData, at: now,
                    ticket: lastTicket))
        }
        return .carryOut(Order(ticket: lastTicket, name: name, request: request, address: address))
    }

    /// Takes note of what became of an order; gives the reply.
    package mutating func finish(_ order: Order, _ outcome: CommandOutcome) -> CommandReply {
        let reply = order.reply(outcome)
        if let index = recent.firstIndex(where: { $0.ticket == order.ticket }) { recent[index].reply = reply }
        return reply
    }

    private func refusal(_ name: String, _ correlation: String, _ text: String) -> CommandReply {
        CommandReply(command: name, correlation: correlation, ok: false, text: text)
    }
}
