import BeaconModel
import Exposition
import GatewayCore
import Logging
import MQTTBridge
import Metering
import Proximity
import RecordContract
import SystemIO

/// Persists and publishes the results of received packets.
struct RadioWriter {
    var publisher: MQTTPublisher
    /// Files of the persisted presence; `nil`: presence is not persisted.
    var presence: PresenceFiles?
    var boot: UInt64
    /// Lifetime of a retained presence that is not renewed.
    var presenceExpiry: Duration
    /// Output service; `nil` where nothing is published to other tools.
    var outputs: OutputService?
    var meters: Meters
    var logger: Logger
    private var hasFailed = false

    init(
        publisher: MQTTPublisher, presence: PresenceFiles?, boot: UInt64, presenceExpiry: Duration,
        outputs: OutputService? = nil, meters: Meters = .none, logger: Logger
    ) {
        self.publisher = publisher
        self.presence = presence
        self.boot = boot
        self.presenceExpiry = presenceExpiry
        self.outputs = outputs
        self.meters = meters
        self.logger = logger
    }

    /// Writes deliveries until the queue ends.
    mutating func run(_ queue: DeliveryQueue) async {
        while true {
            let deliveries = await queue.take()
            if deliveries.isEmpty { return }
            // A presence snapshot replaces the journal entries before it, but not those after it.
            var group: [Delivery] = []
            for delivery in deliveries {
                group.append(delivery)
                if let kept = delivery.presence {
                    await write(group)
                    keep { try $0.write(kept) }
                    group = []
                }
            }
            await write(group)
        }
    }

    private mutating func write(_ deliveries: [Delivery]) async {
        note(deliveries.flatMap(\.begun))
        await publish(deliveries.flatMap(\.records))
        note(deliveries.flatMap(\.ended))
        for (topic, payload) in deliveries.flatMap(\.states) {
            await publisher.setState(payload, topic: topic, expiry: presenceExpiry)
        }
        if let outputs {
            for event in deliveries.flatMap(\.outputs) { await outputs.take(event) }
        }
    }

    private func publish(_ records: [Record]) async {
        if records.isEmpty { return }
        let start = ContinuousClock.now
        await publisher.publish(records)
        meters.time(GatewayMetric.outboxWrite, since: start)
        for (priority, records) in Dictionary(grouping: records, by: \.priority) {
            meters.count(GatewayMetric.records, by: records.count, priority.name)
        }
    }

    private mutating func note(_ notes: [PresenceNote]) {
        if notes.isEmpty { return }
        keep { [boot] in try $0.note(notes, boot: boot) }
    }

    /// Writes to the presence files. An error is logged once, until a write succeeds again.
    private mutating func keep(_ body: (PresenceFiles) throws -> Void) {
        guard let presence else { return }
        do {
            try body(presence)
            hasFailed = false
        } catch {
            if !hasFailed {
                logger.error("presence not persisted", metadata: .init(describing: error))
            }
            hasFailed = true
        }
    }
}
