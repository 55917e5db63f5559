import BeaconModel
import Evidence
import InteractionStore
import Logging
import MQTTBridge
import MatcherCore
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
    var logger: Logger
    /// Returns the present verifier of messages; if `nil`, all messages are trusted.
    var verifier: @Sendable () -> MessageVerifier?
    /// Returns the identifiers of the keys under which reported phones are searched; empty if reports name no phones.
    var pseudonymKeys: @Sendable () -> [String]
    private let gaps = LockedValue(GapWatch())
    private let tally = LockedValue(Tally())
    private let budgets: LockedValue<MessageBudgets>
    private let start = ContinuousClock.now

    private struct Tally {
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

    /// Maximum number of kinds of defects, and of claims, that are logged for one gateway.
    private static let mostDefects = 30
    private static let mostGateways = 10_000
    private static let mostClaims = 1000

    init(
        store: SharedStore, prefix: String, filters: [String], gateways: GatewayWatch, logger: Logger,
        verifier: @escaping @Sendable () -> MessageVerifier? = { nil },
        pseudonymKeys: @escaping @Sendable () -> [String] = { [] }, budgets: MessageBudgets = MessageBudgets()
    ) {
        self.budgets = LockedValue(budgets)
        self.pseudonymKeys = pseudonymKeys
        self.store = store
        self.prefix = prefix
        self.gateways = gateways
        self.filters = filters
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
        for message in messages {
            // The broker keeps subscriptions of an earlier configuration: their messages are acknowledged and ignored.
            guard filters.contains(where: { TopicFilter.overlap($0, message.topic) }) else { continue }
            if let topic = GatewayFacts.Topic(message.topic, prefix: prefix) {
                // Read like a health message: as seldom, and by everybody.
                if isWithinBudget(.health, of: topic.gateway, message.payload.count) {
                    gateways.take(topic, message.payload)
                }
                continue
            }
            guard let topic = RecordTopic(message.topic, prefix: prefix),
                // No gateway retains a record: one that another client left there would be read again at each start.
                topic.kind == .health || !message.isRetained,
                isWithinBudget(topic.kind, of: topic.gateway, message.payload.count)
            else { continue }
            switch topic.kind {
            case .signals: continue
            case .record:
                do throws(RecordReader.Defect) {
                    let isUnsigned = try RecordReader.checkSignature(
                        message.payload, of: topic.gateway, for: .record, verifier)
                    if isUnsigned { note(unsigned: topic.gateway) }
                    records.append(try RecordReader.read(message.payload, gateway: topic.gateway))
                } catch {
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
                } catch {
                    note(error, message.topic, "health message not trusted")
                }
            }
        }
        do {
            return .stored(try keep(records, settled, voices, now: now, clockIsSynchronized: isSynchronized))
        } catch {
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

    /// Returns the progress of all gateways, for instance after a reconnect.
    func announcements() -> [MQTTMessage] {
        let progress = (try? store.use { try $0.progress() }) ?? [:]
        return progress.sorted { $0.key < $1.key }.map { message(gateway: $0.key, $0.value) }
    }

    private func message(gateway: String, _ position: RecordPosition) -> MQTTMessage {
        MQTTMessage(
            topic: "\(prefix)/v\(Contract.version)/\(gateway)/stored", payload: JSON.encode(position), isRetained: true)
    }

    /// Logs a defect of a message, at its 1st, 10th, 100th occurrence and so on: a client that sends garbage does not
    /// fill the log.
    private func note(
        _ defect: RecordReader.Defect, _ topic: String, _ text: Logger.Message = "invalid record received"
    ) {
        // Counted by gateway, so that the mistakes of one gateway, or of a thousand, do not hide those in the name of
        // another.
        let gateway = RecordTopic(topic, prefix: prefix)?.gateway ?? ""
        let (count, isLastKind) = tally.withLock { tally -> (Int, Bool) in
            var kinds = tally.defects[gateway] ?? [:]
            if kinds.isEmpty, tally.defects.count >= Self.mostGateways { return (0, false) }
            if kinds[defect.found] == nil, kinds.count >= Self.mostDefects { return (0, false) }
            kinds[defect.found, default: 0] += 1
            tally.defects[gateway] = kinds
            return (kinds[defect.found] ?? 0, kinds.count == Self.mostDefects && kinds[defect.found] == 1)
        }
        if isLastKind {
            logger.warning(
                "many kinds of malformed messages from a gateway, further kinds not logged",
                metadata: ["gateway": "\(gateway)"])
        }
        // Logged at the 1st, 10th, 100th occurrence and so on.
        guard count > 0, isPowerOfTen(count) else { return }
        logger.warning(
            text,
            metadata: ["topic": "\(topic)", "found": "it \(defect.found)", "so far": "\(count)"])
    }

    private func note(_ claims: Set<PlaceClaimRefusal>) {
        if claims.isEmpty { return }
        let new = tally.withLock { tally in
            claims.filter { claim in
                let gateway = claim.receiver.split(separator: "/").prefix(4).joined(separator: "/")
                let known = tally.claims[gateway] ?? []
                guard known.count < Self.mostDefects, !known.isEmpty || tally.claims.count < Self.mostGateways else {
                    return false
                }
                return tally.claims[gateway, default: []].insert(claim).inserted
            }
        }
        for claim in new.sorted(by: { ($0.receiver, $0.beacon) < ($1.receiver, $1.beacon) }) {
            logger.warning(
                "place claim rejected",
                metadata: [
                    "receiver": "\(claim.receiver)", "beacon": "\(claim.beacon)", "because": "\(claim.reason.text)",
                    "remedy": "look at: beacon-matcher places",
                ])
        }
    }

    /// Logs that a gateway does not sign, at its 1st, 10th, 100th unsigned message and so on.
    private func note(unsigned gateway: String) {
        let count = tally.withLock { tally -> Int in
            if tally.unsigned[gateway] == nil, tally.unsigned.count >= Self.mostGateways { return 0 }
            tally.unsigned[gateway, default: 0] += 1
            return tally.unsigned[gateway] ?? 0
        }
        guard count > 0, isPowerOfTen(count) else { return }
        logger.warning(
            "record not signed",
            metadata: [
                "gateway": "\(gateway)", "because": "signing.required = false allows it", "so far": "\(count)",
            ])
    }

    /// Logs that a gateway names phones by an unknown key, so that reported phones are not found in its records. Logs
    /// once for each gateway, and for another key an hour later at the earliest.
    private func note(pseudonymKey key: String?, of gateway: String) {
        let known = pseudonymKeys()
        guard let key, key.utf8.count == 8, !known.isEmpty, !known.contains(key) else { return }
        let now = ContinuousClock.now - start
        let isNew = tally.withLock { tally in
            if let last = tally.foreignKeys[gateway] {
                guard last.key != key, now - last.time >= .seconds(3600) else { return false }
            } else if tally.foreignKeys.count >= Self.mostClaims {
                return false
            }
            tally.foreignKeys[gateway] = (key, now)
            return true
        }
        guard isNew else { return }
        logger.warning(
            "pseudonym key of a gateway unknown, its records of phones cannot be matched",
            metadata: [
                "gateway": "\(gateway)", "key": "\(key)", "known": "\(known.joined(separator: ", "))",
                "remedy": "name its key in reports.pseudonym-key-files, or give it one of these",
            ])
    }

    /// Logs that records are lost, at most once an hour for each gateway.
    private func note(missing: UInt64, of gateway: String, now: Int64) {
        guard let sum = gaps.withLock({ $0.lost(missing, of: gateway, now: now) }) else { return }
        logger.warning(
            "records missing, no longer held by the gateway",
            metadata: ["gateway": "\(gateway)", "since it was last said": "\(sum)"])
    }

    /// Looks for missing records even if no messages arrive.
    func lookForGaps() { noteGaps(now: WallClock.now().microseconds / 1_000_000) }

    /// Logs records that have been missing for too long, and gateways of which this cannot be determined.
    private func noteGaps(now: Int64) {
        guard gaps.withLock({ $0.isDue(now) }), let progress = try? store.use({ try $0.storedProgress() }) else {
            return
        }
        for missing in gaps.withLock({ $0.missing(progress, now: now) }) {
            logger.warning(
                "records missing for an hour, not received from the gateway",
                metadata: [
                    "gateway": "\(missing.gateway)", "missing": "\(missing.records)",
                    "complete through": "\(missing.through.map(\.description) ?? "-")",
                ])
        }
        for gateway in gaps.withLock({ $0.silent(now: now) }) {
            logger.warning(
                "records without health messages from a gateway, missing records cannot be detected",
                metadata: [
                    "gateway": "\(gateway)",
                    "remedy": "see that the broker lets it publish health, and the matcher read it",
                ])
        }
    }

    private func note(_ rejection: InteractionStore.Rejection) {
        let count = tally.withLock { tally in
            tally.rejected += 1
            return tally.rejected
        }
        guard isPowerOfTen(count) else { return }
        logger.error(
            "record rejected by the database, skipping it",
            metadata: [
                "gateway": "\(rejection.gateway)", "boot": "\(rejection.position.boot)",
                "sequence": "\(rejection.position.sequence)", "because": "\(rejection.because)", "so far": "\(count)",
            ])
    }

    private func note(_ refused: [InteractionStore.Refusal: Int]) {
        for (refusal, count) in refused {
            let (before, now) = tally.withLock { tally -> (Int, Int) in
                let before = tally.refused[refusal, default: 0]
                tally.refused[refusal] = before + count
                return (before, before + count)
            }
            guard String(before).count != String(now).count || before == 0 else { continue }
            logger.notice("records not stored", metadata: ["because": "\(refusal.rawValue)", "so far": "\(now)"])
        }
    }

    private func isPowerOfTen(_ count: Int) -> Bool {
        var rest = count
        while rest % 10 == 0 { rest /= 10 }
        return rest == 1
    }
}
