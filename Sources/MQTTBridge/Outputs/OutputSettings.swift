/// What other people's tools are told, each in its own convention. Nothing of it is on by itself.
public struct OutputSettings: Equatable, Sendable {
    public var homeAssistant: HomeAssistant?
    public var roomPresence: RoomPresence?
    public var homie: Homie?
    public var raddec: Raddec?

    public init(
        homeAssistant: HomeAssistant? = nil, roomPresence: RoomPresence? = nil, homie: Homie? = nil,
        raddec: Raddec? = nil
    ) {
        self.homeAssistant = homeAssistant
        self.roomPresence = roomPresence
        self.homie = homie
        self.raddec = raddec
    }

    public var isEmpty: Bool { self == OutputSettings() }

    /// Discovery of Home Assistant's MQTT integration.
    public struct HomeAssistant: Equatable, Sendable {
        public var discoveryPrefix = "homeassistant"

        public init() {}
    }

    /// Readings for Home Assistant's `mqtt_room`, and whatever takes what ESPresense and room-assistant publish.
    public struct RoomPresence: Equatable, Sendable {
        public var prefix = "espresense/devices"
        public var interval: Duration = .seconds(5)

        public init() {}
    }

    /// Devices by the Homie convention, version 5.
    public struct Homie: Equatable, Sendable {
        /// One level, before `/5/`.
        public var prefix = "homie"

        public init() {}
    }

    /// Radio decodings as reelyActive's tools publish them.
    public struct Raddec: Equatable, Sendable {
        public var prefix = "paretoanywhere"
        public var interval: Duration = .seconds(5)

        public init() {}
    }
}
