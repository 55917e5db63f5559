package import BeaconModel

/// The failure of a module, or its recovery.
package struct ModuleEvent: Equatable, Sendable {
    package var kind: Kind
    package var time: Timestamp
    /// The module's name in the inventory.
    package var module: String
    package var port: String?
    /// The beacon that the module should advertise.
    package var beacon: BeaconID
    /// The module's present state, as on its `state` topic.
    package var state: String
    package var error: String?
    package var remedy: String?

    package enum Kind: String, Sendable {
        case failed, recovered
    }

    package init(
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

/// The payload of a record of a module's failure or recovery; the contract defines the field names.
package struct ModuleEventPayload: Encodable, Sendable {
    package var module: String
    package var port: String?
    package var beacon: InteractionPayload.Beacon
    package var place: InteractionPayload.PlacePayload
    package var boot: UInt64
    package var sequence: UInt64
    package var state: String
    package var error: String?
    package var remedy: String?
    package var historical: Bool
    package var clock: String
}

extension RecordFactory {
    /// Returns the record of a module event.
    ///
    /// - Parameter clockIsSynchronized: whether the time of the event is reliable.
    package mutating func record(for event: ModuleEvent, clockIsSynchronized: Bool) -> Record {
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
