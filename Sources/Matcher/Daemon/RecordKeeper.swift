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
    private let tally = LockedValue(Tally())

    private struct Tally {
        /// Why messages aren't records, and of which the log was told.
        var defects: [String: Int] = [:]
        var refused: [InteractionStore.Refusal: Int] = [:]
        var rejected = 0
    }

    private static let mostDefects = 100

    init(store: SharedStore, prefix: String, filters: [String], gateways: GatewayWatch, logger: Logger) {
        self.store = store
        self.prefix = prefix
        self.gateways = gateways
        self.filters = filters
        self.logger = logger
    }

    func take(_ messages: [MQTTMessage]) -> MQTTConsumer.Outcome {
        let now = WallClock.now().microseconds / 1_000_000
        let isSynchronized = WallClock.isSynchronized
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
                    records.append(try RecordReader.read(message.payload, gateway: topic.gateway))
                } catch {
                    if let counted = error.counted { records.append(counted) }
                    note(error, message.topic)
                }
            case .health:
                gateways.heard(topic.gateway, now: now)
                if let oldest = HealthOldest.position(in: message.payload) { settled[topic.gateway] = oldest }
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
                for rejection in outcome.rejected { note(rejection) }
            }
            for (gateway, position) in settled.sorted(by: { $0.key < $1.key }) {
                do {
                    if let through = try store.settle(gateway, below: position, now: now) {
                        progress[gateway] = through
                    }
                } catch let error as StoreError where error.isOfData {
                    note(.init(gateway: gateway, position: position, because: error.what))
                }
            }
        }
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
    private func note(_ defect: RecordReader.Defect, _ topic: String) {
        let count = tally.withLock { tally -> Int in
            if tally.defects[defect.found] == nil, tally.defects.count >= Self.mostDefects { return 0 }
            tally.defects[defect.found, default: 0] += 1
            return tally.defects[defect.found] ?? 0
        }
        // 1, 10, 100, ...
        guard count > 0, isPowerOfTen(count) else { return }
        logger.warning(
            "what was received is no record",
            metadata: ["topic": "\(topic)", "found": "it \(defect.found)", "so far": "\(count)"])
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
