import BeaconModel
import Evidence
import Exposition
import InteractionStore
import Logging
import MQTTBridge
import MatcherCore
import Metering
import OperatorText
import RecordContract
import RecordOutbox
import SystemIO

/// Message handler that stores messages from the broker, and returns how far each gateway's records are stored. Called
/// on the thread of the connection.
struct RecordKeeper: Sendable {
    var store: SharedStore
    var prefix: String
    /// Topic filters; messages on other topics are not stored.
    var filters: [String]
    var gateways: GatewayWatch
    var meters: Meters
    var logger: Logger
    /// Returns the present verifier of messages; if `nil`, all messages are trusted.
    var verifier: @Sendable () -> MessageVerifier?
    /// Returns the identifiers of the keys under which reported phones are searched; empty if reports name no phones.
    var pseudonymKeys: @Sendable () -> [String]
    let gaps = LockedValue(GapWatch())
    let tally = LockedValue(Tally())
    private let budgets: LockedValue<MessageBudgets>
    let start = ContinuousClock.now
    let progress: MatcherProgress

    /// Number of occurrences of what is logged.
    struct Tally {
        /// Number of messages that are no records, by gateway and defect.
        var defects: [String: [String: Int]] = [:]
        var refused: [InteractionStore.Refusal: Int] = [:]
        var rejected = 0
        /// Refused claims of places' beacons that were logged, by gateway.
        var claims: [String: Set<PlaceClaimRefusal>] = [:]
        /// Gateways that name phones by an unknown key, with that key and the time of its log message.
        var foreignKeys: [String: (key: String, time: Duration)] = [:]
        /// Number of unsigned messages by gateway, where they are allowed.
        var unsigned: [String: Int] = [:]
    }

    init(
        store: SharedStore, prefix: String, filters: [String], gateways: GatewayWatch, meters: Meters = .none,
        logger: Logger,
        verifier: @escaping @Sendable () -> MessageVerifier? = { nil },
        pseudonymKeys: @escaping @Sendable () -> [String] = { [] }, budgets: MessageBudgets = MessageBudgets(),
        progress: MatcherProgress = MatcherProgress()
    ) {
        self.progress = progress
        self.budgets = LockedValue(budgets)
        self.pseudonymKeys = pseudonymKeys
        self.store = store
        self.prefix = prefix
        self.gateways = gateways
        self.filters = filters
        self.meters = meters
        self.logger = logger
        self.verifier = verifier
    }

    func take(_ messages: [MQTTMessage]) -> MQTTConsumer.Outcome {
        let now = WallClock.now().microseconds / 1_000_000
        let isSynchronized = WallClock.isSynchronized
        let verifier = verifier()
        var records: [ReceivedRecord] = []
        var settled: [String: GatewayHealth.Outbox] = [:]
        // Gateways that reported their present state.
        var voices: Set<String> = []
        // What became of the messages.
        var outcomes: [MessageOutcome: Int] = [:]
        defer { for (outcome, count) in outcomes { meters.count(outcome, by: count) } }
        for message in messages {
            // The broker keeps subscriptions of an earlier configuration: their messages are acknowledged and ignored.
            guard filters.contains(where: { TopicFilter.overlap($0, message.topic) }) else {
                outcomes[.ignored, default: 0] += 1
                continue
            }
            if let topic = GatewayFacts.Topic(message.topic, prefix: prefix) {
                // Read like a health message: as seldom, and by everybody.
                let isWithin = isWithinBudget(.health, of: topic.gateway, message.payload.count)
                outcomes[isWithin ? .state : .tooMany, default: 0] += 1
                if isWithin {
                    gateways.take(
                        topic, message.payload,
                        told: GatewayFacts.Telling(at: now, isRetained: message.isRetained))
                }
                continue
            }
            guard let topic = RecordTopic(message.topic, prefix: prefix),
                // No gateway retains a record: one that another client left there would be read again at each start.
                topic.kind == .health || !message.isRetained
            else {
                outcomes[.ignored, default: 0] += 1
                continue
            }
            guard isWithinBudget(topic.kind, of: topic.gateway, message.payload.count) else {
                outcomes[.tooMany, default: 0] += 1
                continue
            }
            switch topic.kind {
            case .signals: outcomes[.signals, default: 0] += 1
            case .record:
                do throws(RecordReader.Defect) {
                    let isUnsigned = try RecordReader.checkSignature(
                        message.payload, of: topic.gateway, for: .record, verifier)
                    if isUnsigned { note(unsigned: topic.gateway) }
                    records.append(try RecordReader.read(message.payload, gateway: topic.gateway))
                    outcomes[.record, default: 0] += 1
                } catch {
                    outcomes[.invalid, default: 0] += 1
                    if let counted = error.counted { records.append(counted) }
                    note(error, message.topic)
                }
            case .health:
                do throws(RecordReader.Defect) {
                    let isUnsigned = try RecordReader.checkSignature(
                        message.payload, of: topic.gateway, for: .health, verifier)
                    let health = GatewayHealth(message.payload)
                    // What an old signed message says of the outbox still holds: a record that the gateway no longer
                    // holds does not come back. Whether the gateway receives now is another matter.
                    let isGenuine = verifier != nil && !isUnsigned
                    // A retained message is from an earlier time.
                    if let health, !message.isRetained {
                        if let defect = gateways.take(health, of: topic.gateway, isGenuine: isGenuine, now: now) {
                            note(defect, message.topic, "health message not current")
                        } else {
                            voices.insert(topic.gateway)
                        }
                    }
                    settled[topic.gateway] = health?.outbox
                    note(pseudonymKey: health?.pseudonymKey, of: topic.gateway)
                    outcomes[.health, default: 0] += 1
                } catch {
                    outcomes[.invalid, default: 0] += 1
                    note(error, message.topic, "health message not trusted")
                }
            }
        }
        let start = ContinuousClock.now
        progress.beginWriting()
        do {
            let replies = try keep(records, settled, voices, now: now, clockIsSynchronized: isSynchronized)
            progress.endWriting(storedRecords: !records.isEmpty)
            if !records.isEmpty {
                meters.time(MatcherMetric.storeWrite, since: start)
            }
            return .stored(replies)
        } catch {
            progress.endWriting(error)
            meters.count(MatcherMetric.storeFailures)
            logger.error("records not stored, will be delivered again", metadata: ["because": "\(error.inOneLine)"])
            return .failed
        }
    }

    /// Returns whether a message is within its gateway's budget, before the message is read. A message over the budget
    /// does not count as received: a gateway that keeps unconfirmed records sends it again.
    private func isWithinBudget(_ kind: RecordTopic.Kind, of gateway: String, _ bytes: Int) -> Bool {
        let now = ContinuousClock.now - start
        switch budgets.withLock({ $0.take(kind, bytes: bytes, of: gateway, at: now) }) {
        case .within: return true
        case .over(.none): return false
        case .over(.some(let count)):
            logger.warning(
                "gateway exceeds its message budget, dropping the excess",
                metadata: [
                    "gateway": "\(gateway)", "messages": kind == .record ? "records" : "health",
                    "left since it was last said": "\(count)",
                    "remedy":
                        "look at it; if it was tampered with: beacon-matcher gateways revoke, and take its user away at the broker",
                ])
            return false
        }
    }

    private func keep(
        _ records: [ReceivedRecord], _ settled: [String: GatewayHealth.Outbox], _ voices: Set<String>, now: Int64,
        clockIsSynchronized: Bool
    ) throws -> [MQTTMessage] {
        var progress: [String: RecordPosition] = [:]
        try store.use { store in
            if !records.isEmpty {
                let outcome = try store.store(records, now: now, clockIsSynchronized: clockIsSynchronized)
                progress = outcome.progress
                note(outcome.refused)
                meters.count(outcome, of: records.count)
                note(outcome.refusedClaims)
                for rejection in outcome.rejected { note(rejection) }
            }
            for (gateway, outbox) in settled.sorted(by: { $0.key < $1.key })
            where outbox.oldest != nil || !outbox.lasts.isEmpty {
                do {
                    var missing: UInt64 = 0
                    if let through = try store.settle(
                        gateway, below: outbox.oldest, lasts: outbox.lasts, now: now, missing: { missing = $0 })
                    {
                        progress[gateway] = through
                    }
                    meters.count(MatcherMetric.missing, by: Int(clamping: missing))
                    if missing > 0 { note(missing: missing, of: gateway, now: now) }
                } catch let error as StoreError where error.isOfData {
                    note(
                        .init(
                            gateway: gateway, position: outbox.oldest ?? .init(boot: 0, sequence: 0),
                            because: error.what))
                }
            }
        }
        gaps.withLock { $0.heard(recordsOf: Set(records.map(\.gateway)), healthOf: voices, now: now) }
        noteGaps(now: now)
        return progress.sorted { $0.key < $1.key }.map { message(gateway: $0.key, $0.value) }
    }

    /// Looks at the store, which a matcher without messages does not write to.
    func examineStore() {
        progress.examined(Result { _ = try store.use { try $0.progress() } })
    }

    /// Returns the progress of all gateways, for instance after a reconnect.
    func announcements() -> [MQTTMessage] {
        let progress = (try? store.use { try $0.progress() }) ?? [:]
        return progress.sorted { $0.key < $1.key }.map { message(gateway: $0.key, $0.value) }
    }

    private func message(gateway: String, _ position: RecordPosition) -> MQTTMessage {
        MQTTMessage(
            topic: "\(prefix)/v\(Contract.version)/\(gateway)/stored", payload: JSON.encode(position), isRetained: true)
    }
}
