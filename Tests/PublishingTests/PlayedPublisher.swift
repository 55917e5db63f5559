import BeaconModel
import TestValues

@testable import Publishing
@testable import RecordContract
@testable import RecordContractTests

/// A publisher's machine, whose outputs a played connection and a played outbox carry out. What it does is a line of
/// text each, so that a test reads as a dialogue.
struct PlayedPublisher {
    private(set) var machine: PublisherMachine
    private(set) var now = PublisherMachine.Moment(instant: .now, wall: Fixtures.noon)
    /// What was logged.
    private(set) var notices: [PublisherNotice] = []
    private var lines: [String] = []
    /// The number of the latest connection.
    private(set) var connection = 0
    private(set) var probe: PublisherMachine.Probe?

    /// Records in the outbox that are not offered.
    private(set) var waiting: [OutboxEntry] = []
    private(set) var confirmed: [Int64] = []
    private var offered: [OutboxEntry] = []
    /// Whether the outbox takes its time over what is fetched: the test answers for it.
    var holdsFetches = false
    /// The pace of the outbox.
    var retryAfter: Duration?

    /// Messages and records that were handed over, by the number under which they are answered.
    private(set) var messages: [Int32: MQTTMessage] = [:]
    private(set) var records: [Int32: Int64] = [:]
    private var lastNumber: Int32 = 0
    /// Records that the library does not accept, and why.
    var errors: [Int64: MQTTError.Cause] = [:]
    /// Topics of messages that the library does not accept, and why.
    var topicErrors: [String: MQTTError.Cause] = [:]
    var certificates = CertificateFiles([.missing])

    static let status = "gw/status"
    static let first = BrokerEndpoint(host: "first", port: 1883)
    static let second = BrokerEndpoint(host: "second", port: 1883)

    /// Creates a publisher whose configuration has two brokers.
    init(
        window: Int = 4, brokers: [BrokerEndpoint] = [first, second], storedTopic: String? = nil, hasTLS: Bool = false
    ) {
        var configuration = BrokerConfiguration(endpoints: brokers, clientID: "gw")
        configuration.inFlight = window
        if hasTLS { configuration.tls = TLSConfiguration() }
        func status(_ text: String) -> MQTTMessage {
            MQTTMessage(topic: Self.status, payload: Array(text.utf8), isRetained: true)
        }
        let (online, farewell) = (status("online"), status("stopping"))
        machine = PublisherMachine(
            configuration: configuration,
            announcement: Announcement(will: status("lost"), online: { _ in online }, farewell: { _ in farewell }),
            storedTopic: storedTopic, memory: [], certificateInterval: .seconds(60),
            preferredInterval: .seconds(300), backoff: Backoff(), generator: SeededGenerator(seed: 1),
            now: Fixtures.noon)
    }

    /// A publisher that the first broker has accepted and answered, and what it has said until then forgotten.
    static func connected(
        window: Int = 4, storedTopic: String? = nil, hasTLS: Bool = false, version: MQTTVersion = .five
    ) -> PlayedPublisher {
        var publisher = PlayedPublisher(window: window, storedTopic: storedTopic, hasTLS: hasTLS)
        publisher.tell(.start)
        publisher.accept(version)
        publisher.acknowledgeAll()
        _ = publisher.said()
        return publisher
    }

    /// Returns what the publisher has done since the last call.
    mutating func said() -> [String] {
        defer { lines = [] }
        return lines
    }

    // MARK: What happens

    mutating func tell(_ input: PublisherMachine.Input) {
        var outputs: [PublisherMachine.Output] = machine.handle(input, now: now).reversed()
        while let output = outputs.popLast() {
            if let line = Self.line(output) { lines.append(line) }
            if let answer = carryOut(output) { outputs += machine.handle(answer, now: now).reversed() }
        }
    }

    mutating func hear(_ event: PublisherMachine.ConnectionEvent) { tell(.connection(connection, event)) }

    mutating func accept(_ version: MQTTVersion = .five) { hear(.accepted(MQTTSession(version: version))) }

    mutating func end(_ cause: MQTTError.Cause?, broker: String = "first:1883") {
        hear(.ended(cause.map { .broker(MQTTError(broker: broker, cause: $0)) }))
    }

    /// The broker acknowledges everything.
    mutating func acknowledgeAll() {
        let numbers = (Array(messages.keys) + records.keys).sorted()
        (messages, records) = ([:], [:])
        hear(.acknowledged(numbers))
    }

    /// The broker acknowledges records.
    mutating func acknowledge(_ ids: Int64...) {
        let numbers = records.filter { ids.contains($0.value) }.keys.sorted()
        for number in numbers { records[number] = nil }
        hear(.acknowledged(numbers))
    }

    mutating func reject(record id: Int64, _ reason: Int32 = 0x87) {
        guard let number = records.first(where: { $0.value == id })?.key else { return }
        records[number] = nil
        hear(.rejected(number, reason: reason))
    }

    mutating func reject(_ topic: String, _ reason: Int32 = 0x87) {
        guard let number = messages.first(where: { $0.value.topic == topic })?.key else { return }
        messages[number] = nil
        hear(.rejected(number, reason: reason))
    }

    /// Records come into the outbox.
    mutating func append(_ ids: ClosedRange<Int64>) {
        waiting += ids.map(Self.record)
        tell(.outboxChanged)
    }

    static func record(_ id: Int64) -> OutboxEntry {
        OutboxEntry(
            id: id, topic: "gw/record/\(id)", payload: [], isHistorical: false, priority: .started,
            position: RecordPosition(boot: 1, sequence: UInt64(id)))
    }

    /// Lets time pass.
    mutating func pass(_ time: Duration) {
        let end = now.instant + time
        while let due = machine.wakesAt, due <= end {
            advance(by: max(.zero, due - now.instant))
            tell(.timeReached)
        }
        advance(by: end - now.instant)
    }

    /// Lets time pass until the publisher does something on its own.
    mutating func passUntilNextStep() {
        guard let due = machine.wakesAt else { return }
        pass(due - now.instant)
    }

    private mutating func advance(by time: Duration) {
        now.instant += time
        now.wall = now.wall + time
    }

    // MARK: The connection and the outbox

    private mutating func carryOut(_ output: PublisherMachine.Output) -> PublisherMachine.Input? {
        switch output {
        case .connect(let attempt):
            connection = attempt.number
            (messages, records) = ([:], [:])
        case .send(let message, let awaited):
            if let cause = topicErrors[message.topic] {
                return .notSent(message, as: awaited, MQTTError(broker: "first:1883", cause: cause))
            }
            lastNumber += 1
            messages[lastNumber] = message
            return .sent(awaited, number: lastNumber)
        case .sendRecords(let entries, _): return .recordsSent(entries, handOver(entries))
        case .request(let subscription, _):
            lastNumber += 1
            return .requested(subscription, number: lastNumber)
        case .setOnline(true): return .outboxChanged
        case .setOnline(false):
            waiting = (offered + waiting).sorted { $0.id < $1.id }
            offered = []
            return .outboxOffline
        case .fetch(let limit, let number):
            if holdsFetches { return nil }
            let entries = Array(waiting.prefix(limit))
            waiting.removeFirst(entries.count)
            offered += entries
            defer { retryAfter = nil }
            return .fetched(OutboxOffer(entries: entries, retryAfter: retryAfter), connection: number)
        case .confirm(let ids, let answers):
            offered.removeAll { ids.contains($0.id) }
            confirmed += ids
            return .confirmed(answers: answers)
        case .withhold(let ids):
            offered.removeAll { ids.contains($0.id) }
            return .outboxChanged
        case .refuse(let ids): offered.removeAll { ids.contains($0.id) }
        case .stored: return .outboxChanged
        case .countUndelivered: return .undelivered(waiting.count + offered.count)
        case .readCertificates: return .certificates(certificates)
        case .probe(let probe): self.probe = probe
        case .log(let notice): notices.append(notice)
        case .disconnect, .abandon, .sendUnawaited, .deliver, .remember, .takeoversChanged: break
        }
        return nil
    }

    private mutating func handOver(_ entries: [OutboxEntry]) -> [Result<Int32, MQTTError>] {
        var results: [Result<Int32, MQTTError>] = []
        for entry in entries {
            if let cause = errors[entry.id] {
                let error = MQTTError(broker: "first:1883", cause: cause)
                results.append(.failure(error))
                if !error.isAboutMessage { break }
            } else {
                lastNumber += 1
                records[lastNumber] = entry.id
                results.append(.success(lastNumber))
            }
        }
        return results
    }

    private static func line(_ output: PublisherMachine.Output) -> String? {
        func list(_ ids: [Int64]) -> String { ids.map { " \($0)" }.joined() }
        return switch output {
        case .connect(let attempt): "connect to \(attempt.endpoint) with MQTT \(attempt.version.rawValue)"
        case .disconnect: "disconnect"
        case .abandon: "abandon"
        case .send(let message, _), .sendUnawaited(let message):
            "send \(message.topic) " + String(decoding: message.payload, as: UTF8.self)
        case .sendRecords(let entries, _): "send records" + list(entries.map(\.id))
        case .request(_, let filter): "subscribe to \(filter)"
        case .setOnline(let isOnline): isOnline ? "outbox online" : "outbox offline"
        case .fetch(let limit, _): "fetch \(limit)"
        case .confirm(let ids, _): "confirm" + list(ids)
        case .refuse(let ids): "refuse" + list(ids)
        case .withhold(let ids): "withhold" + list(ids)
        case .stored(let position, _): "stored through \(position.sequence)"
        case .countUndelivered: "count"
        case .deliver(let message): "deliver \(message.topic)"
        case .readCertificates: "read certificates"
        case .probe(let probe): "probe \(probe.endpoint)"
        case .remember: "remember versions"
        case .takeoversChanged: "takeovers changed"
        case .log: nil
        }
    }
}
