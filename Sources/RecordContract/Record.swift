package import BeaconModel

/// An interaction, readings, an alert or a module event as published: topic, identity and contents.
package struct Record: Sendable {
    package let topic: String
    package let priority: OutboxPriority
    /// Number of the record among those of this gateway since its boot, from 1.
    package let sequence: UInt64
    /// Identifier that is unique for ever, and the same when the record is offered again.
    package let id: String

    private let contents: Contents

    private enum Contents: Sendable {
        case interaction(CloudEvent<InteractionPayload>)
        case socialDistance(CloudEvent<SocialDistancePayload>)
        case module(CloudEvent<ModuleEventPayload>)
        case readings(CloudEvent<ReadingsPayload>)
    }

    package init(topic: String, priority: OutboxPriority, event: CloudEvent<InteractionPayload>) {
        self.topic = topic
        self.priority = priority
        contents = .interaction(event)
        id = event.id
        sequence = event.data.sequence
    }

    package init(topic: String, priority: OutboxPriority, event: CloudEvent<SocialDistancePayload>) {
        self.topic = topic
        self.priority = priority
        contents = .socialDistance(event)
        id = event.id
        sequence = event.data.sequence
    }

    /// Creates the record of a failure or recovery, which has the priority of an end.
    package init(topic: String, event: CloudEvent<ModuleEventPayload>) {
        self.topic = topic
        priority = .ended
        contents = .module(event)
        id = event.id
        sequence = event.data.sequence
    }

    package init(topic: String, event: CloudEvent<ReadingsPayload>) {
        self.topic = topic
        priority = .readings
        contents = .readings(event)
        id = event.id
        sequence = event.data.sequence
    }

    /// The record as it waits to be published.
    package var outboxRecord: OutboxRecord {
        OutboxRecord(
            topic: topic, priority: priority, position: RecordPosition(boot: boot, sequence: sequence),
            payload: encoded(historical: false))
    }

    private var boot: UInt64 {
        switch contents {
        case .interaction(let event): event.data.boot
        case .socialDistance(let event): event.data.boot
        case .module(let event): event.data.boot
        case .readings(let event): event.data.boot
        }
    }

    /// Returns one line of JSON with sorted keys; equal records give equal bytes.
    ///
    /// - Parameter historical: whether the record waited out an outage of the broker.
    package func encoded(historical: Bool) -> [UInt8] {
        switch contents {
        case .interaction(var event):
            event.data.historical = historical
            return JSON.encode(event)
        case .socialDistance(var event):
            event.data.historical = historical
            return JSON.encode(event)
        case .module(var event):
            event.data.historical = historical
            return JSON.encode(event)
        case .readings(var event):
            event.data.historical = historical
            return JSON.encode(event)
        }
    }
}

extension OutboxPriority {
    package init(_ kind: InteractionEvent.Kind) {
        self =
            switch kind {
            case .updated: .updated
            case .started: .started
            case .ended: .ended
            }
    }
}
