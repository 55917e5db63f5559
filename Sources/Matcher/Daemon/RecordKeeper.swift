import BeaconModel
import InteractionStore
import Logging
import MQTTBridge
import OperatorText
import SystemIO

/// Stores what comes from the broker, and says how far each gateway's records are stored. Called on the thread of the
/// connection.
struct RecordKeeper: Sendable {
    var store: SharedStore
    var prefix: String
    /// Of topics: what else comes isn't stored.
    var filters: [String]
    var gateways: GatewayWatch
    var logger: Logger
    /// Whose messages are believed, at the time when it is asked; `nil`: everybody's.
    var verifier: @Sendable () -> MessageVerifier?
    private let gaps = LockedValue(GapWatch())
    private let tally = LockedValue(Tally())

    private struct Tally {
        /// Why messages aren't records, and of which the log was told.
        var defects: [String: Int] = [:]
        var refused: [InteractionStore.Refusal: Int] = [:]
        var rejected = 0
        /// Claims of places' beacons of which the log was told.
        var claims: Set<PlaceClaimRefusal> = []
        /// Of gateways that may send it.
        var unsigned: [String: Int] = [:]
    }

    private static let mostDefects = 100
    private static let mostClaims = 1000

    init(
        store: SharedStore, prefix: String, filters: [String], gateways: GatewayWatch, logger: Logger,
        verifier: @escaping @Sendable () -> MessageVerifier? = { nil }
    ) {
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
        var settled: [String: RecordPosition] = [:]
        for message in messages {
            // The broker keeps subscriptions of an earlier configuration: what they bring is acknowledged and left.
            guard filters.contains(where: { TopicFilter.overlap($0, message.topic) }),
                let topic = RecordTopic(message.topic, prefix: prefix)
            else { continue }
            switch topic.kind {
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
                    // What a signed message of long ago says of the outbox was true then, and is now: what isn't held any more
                    // never will be. That the gateway works is another matter.
                    if verifier == nil || isUnsigned || !isSynchronized || health?.isOf(now) == true {
                        gateways.heard(topic.gateway, now: now)
                    } else {
                        note(GatewayHealth.old, message.topic, "a health message tells of another time")
                    }
                    if let oldest = health?.outbox?.oldest { settled[topic.gateway] = oldest }
                } catch {
                    note(error, message.topic, "a health message isn't believed")
                }
            }
        }
        do {
            return .stored(try keep(records, settled, now: now, clockIsSynchronized: isSynchronized))
        } catch {
            logger.error("can't store records; they come again", metadata: ["because": "\(error.inOneLine)"])
            return .failed
        }
    }

    private func keep(
        _ records: [ReceivedRecord], _ settled: [String: RecordPosition], now: Int64, clockIsSynchronized: Bool
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
            for (gateway, position) in settled.sorted(by: { $0.key < $1.key }) {
                do {
                    var missing: UInt64 = 0
                    if let through = try store.settle(gateway, below: position, now: now, missing: { missing = $0 }) {
                        progress[gateway] = through
                    }
                    if missing > 0 { note(missing: missing, of: gateway, now: now) }
                } catch let error as StoreError where error.isOfData {
                    note(.init(gateway: gateway, position: position, because: error.what))
                }
            }
        }
        noteGaps(now: now)
        return progress.sorted { $0.key < $1.key }.map { message(gateway: $0.key, $0.value) }
    }

    /// What is said of all gateways, for instance after a reconnect.
    func announcements() -> [MQTTMessage] {
        let progress = (try? store.use { try $0.progress() }) ?? [:]
        return progress.sorted { $0.key < $1.key }.map { message(gateway: $0.key, $0.value) }
    }

    private func message(gateway: String, _ position: RecordPosition) -> MQTTMessage {
        MQTTMessage(
            topic: "\(prefix)/v\(Contract.version)/\(gateway)/stored", payload: JSON.encode(position), isRetained: true)
    }

    /// Says once of each kind what is wrong: who sends garbage doesn't fill the log.
    private func note(
        _ defect: RecordReader.Defect, _ topic: String, _ text: Logger.Message = "what was received is no record"
    ) {
        let count = tally.withLock { tally -> Int in
            if tally.defects[defect.found] == nil, tally.defects.count >= Self.mostDefects { return 0 }
            tally.defects[defect.found, default: 0] += 1
            return tally.defects[defect.found] ?? 0
        }
        // 1, 10, 100, ...
        guard count > 0, isPowerOfTen(count) else { return }
        logger.warning(
            text,
            metadata: ["topic": "\(topic)", "found": "it \(defect.found)", "so far": "\(count)"])
    }

    private func note(_ claims: Set<PlaceClaimRefusal>) {
        if claims.isEmpty { return }
        let new = tally.withLock { tally in
            claims.filter { tally.claims.count < Self.mostClaims && tally.claims.insert($0).inserted }
        }
        for claim in new.sorted(by: { ($0.receiver, $0.beacon) < ($1.receiver, $1.beacon) }) {
            logger.warning(
                "receiver isn't believed which beacon hangs at its place",
                metadata: [
                    "receiver": "\(claim.receiver)", "beacon": "\(claim.beacon)", "because": "\(claim.reason.text)",
                    "remedy": "look at: beacon-matcher places",
                ])
        }
    }

    /// Says of each gateway that it doesn't sign, once while there are few of it, then at 10, 100 and so on.
    private func note(unsigned gateway: String) {
        let count = tally.withLock { tally -> Int in
            if tally.unsigned[gateway] == nil, tally.unsigned.count >= Self.mostDefects { return 0 }
            tally.unsigned[gateway, default: 0] += 1
            return tally.unsigned[gateway] ?? 0
        }
        guard count > 0, isPowerOfTen(count) else { return }
        logger.warning(
            "a record isn't signed",
            metadata: [
                "gateway": "\(gateway)", "because": "signing.required = false allows it", "so far": "\(count)",
            ])
    }

    /// Says that records are lost, of each gateway at most once an hour.
    private func note(missing: UInt64, of gateway: String, now: Int64) {
        guard let sum = gaps.withLock({ $0.lost(missing, of: gateway, now: now) }) else { return }
        logger.warning(
            "records are missing: the gateway doesn't hold them any more, and they haven't come",
            metadata: ["gateway": "\(gateway)", "since it was last said": "\(sum)"])
    }

    /// Says of each gap once that it stays.
    private func noteGaps(now: Int64) {
        guard gaps.withLock({ $0.isDue(now) }), let open = try? store.use({ try $0.gaps() }) else { return }
        for (gateway, gap) in gaps.withLock({ $0.stay(open, now: now) }) {
            logger.warning(
                "records haven't come for an hour, and later ones have",
                metadata: [
                    "gateway": "\(gateway)", "boot": "\(gap.after.boot)", "after": "\(gap.after.sequence)",
                    "missing": "\(gap.missing)",
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
            "the database doesn't take a record, which is left out",
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
            logger.notice("records weren't stored", metadata: ["because": "\(refusal.rawValue)", "so far": "\(now)"])
        }
    }

    private func isPowerOfTen(_ count: Int) -> Bool {
        var rest = count
        while rest % 10 == 0 { rest /= 10 }
        return rest == 1
    }
}
