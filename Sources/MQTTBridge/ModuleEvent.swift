public import BeaconModel

/// A module failed, or does again what it should.
public struct ModuleEvent: Equatable, Sendable {
    public var kind: Kind
    public var time: Timestamp
    /// As the inventory names it.
    public var module: String
    public var port: String?
    /// What it shall advertise.
    public var beacon: BeaconID
    /// How it is now, as on its `state` topic.
    public var state: String
    public var error: String?
    public var remedy: String?

    public enum Kind: String, Sendable {
        case failed, recovered
    }

    public init(
        kind: Kind, time: Timestamp, module: String, port: String?, beacon: BeaconID, state: String,
        error: String? = nil, remedy: String? = nil
    ) {
        self.kind = kind
        self.time = time
        self.module = module
        self.port = port
        self.beacon = beacon
        self.state = state
        self.error = error
        self.remedy = remedy
    }
}

/// What a record of a module's failure or recovery says; the field names are the contract's.
struct ModuleEventPayload: Encodable, Sendable {
    var module: String
    var port: String?
    var beacon: InteractionPayload.Beacon
    var place: InteractionPayload.PlacePayload
    var boot: UInt64
    var sequence: UInt64
    var state: String
    var error: String?
    var remedy: String?
    var historical: Bool
    var clock: String
}

extension RecordFactory {
    /// - Parameter clockIsSynchronized: whether the time of the event can be trusted.
    public mutating func record(for event: ModuleEvent, clockIsSynchronized: Bool) -> Record {
        let sequence = nextSequence()
        let payload = ModuleEventPayload(
            module: event.module, port: event.port, beacon: .init(event.beacon), place: .init(place), boot: boot,
            sequence: sequence, state: event.state, error: event.error, remedy: event.remedy, historical: false,
            clock: clockIsSynchronized ? "synchronized" : "unsynchronized")
        return Record(
            topic: topics.moduleEvent(event.module),
            event: CloudEvent(
                id: "\(path)/\(boot)/\(sequence)", source: "/" + path, type: "module." + event.kind.rawValue,
                time: event.time.rfc3339, data: payload))
    }
}
