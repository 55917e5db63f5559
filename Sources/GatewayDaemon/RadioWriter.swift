import BeaconModel
import GatewayCore
import Logging
import MQTTBridge
import Proximity
import SystemIO

/// Writes down and publishes what the radio's packets have led to.
struct RadioWriter {
    var publisher: MQTTPublisher
    /// Where it is kept who is here; `nil`: nowhere.
    var presence: PresenceFiles?
    var boot: UInt64
    /// How long a retained presence lasts that isn't renewed.
    var presenceExpiry: Duration
    /// `nil` where no other tool is told anything.
    var outputs: OutputService?
    var logger: Logger
    private var hasFailed = false

    init(
        publisher: MQTTPublisher, presence: PresenceFiles?, boot: UInt64, presenceExpiry: Duration,
        outputs: OutputService? = nil, logger: Logger
    ) {
        self.publisher = publisher
        self.presence = presence
        self.boot = boot
        self.presenceExpiry = presenceExpiry
        self.outputs = outputs
        self.logger = logger
    }

    /// Until the queue's end.
    mutating func run(_ queue: DeliveryQueue) async {
        while true {
            let deliveries = await queue.take()
            if deliveries.isEmpty { return }
            // What is known of who is here replaces the notes before it, and not those after.
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
        await publisher.publish(deliveries.flatMap(\.records))
        note(deliveries.flatMap(\.ended))
        for (topic, payload) in deliveries.flatMap(\.states) {
            await publisher.setState(payload, topic: topic, expiry: presenceExpiry)
        }
        if let outputs {
            for event in deliveries.flatMap(\.outputs) { await outputs.take(event) }
        }
    }

    private mutating func note(_ notes: [PresenceNote]) {
        if notes.isEmpty { return }
        keep { [boot] in try $0.note(notes, boot: boot) }
    }

    /// Complains once for each time that it begins to fail.
    private mutating func keep(_ body: (PresenceFiles) throws -> Void) {
        guard let presence else { return }
        do {
            try body(presence)
            hasFailed = false
        } catch {
            if !hasFailed {
                logger.error("who is here can't be kept over a restart", metadata: .init(describing: error))
            }
            hasFailed = true
        }
    }
}
