public import BeaconModel

/// An interaction as it is published: topic, identity and contents.
public struct Record: Sendable {
    public let topic: String
    public let kind: InteractionEvent.Kind
    /// Counts the records of this gateway since its boot, from 1.
    public let sequence: UInt64
    /// Unique for ever, and the same when the same record is offered again.
    public var id: String { event.id }

    private let event: CloudEvent<InteractionPayload>

    init(topic: String, kind: InteractionEvent.Kind, event: CloudEvent<InteractionPayload>) {
        self.topic = topic
        self.kind = kind
        self.event = event
        sequence = event.data.sequence
    }

    /// One line of JSON with sorted keys: equal records give equal bytes.
    ///
    /// - Parameter historical: whether the record waited out an outage of the broker.
    public func encoded(historical: Bool) -> [UInt8] {
        var event = event
        event.data.historical = historical
        return JSON.encode(event)
    }
}
