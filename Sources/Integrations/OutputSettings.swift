/// Settings for publishing to third-party tools, each in its own convention. All outputs are off by default.
package struct OutputSettings: Equatable, Sendable {
    package var homeAssistant: HomeAssistant?
    package var roomPresence: RoomPresence?
    package var homie: Homie?
    package var raddec: Raddec?

    package init(
        homeAssistant: HomeAssistant? = nil, roomPresence: RoomPresence? = nil, homie: Homie? = nil,
        raddec: Raddec? = nil
    ) {
        self.homeAssistant = homeAssistant
        self.roomPresence = roomPresence
        self.homie = homie
        self.raddec = raddec
    }

    package var isEmpty: Bool { self == OutputSettings() }

    /// Discovery of Home Assistant's MQTT integration.
    package struct HomeAssistant: Equatable, Sendable {
        package var discoveryPrefix = "homeassistant"

        package init() {}
    }

    /// Readings for Home Assistant's `mqtt_room`, and for other tools that read what ESPresense and room-assistant
    /// publish.
    package struct RoomPresence: Equatable, Sendable {
        package var prefix = "espresense/devices"
        package var interval: Duration = .seconds(5)

        package init() {}
    }

    /// Devices in the Homie convention, version 5.
    package struct Homie: Equatable, Sendable {
        /// One topic level, before `/5/`.
        package var prefix = "homie"

        package init() {}
    }

    /// Radio decodings in the format of reelyActive's tools.
    package struct Raddec: Equatable, Sendable {
        package var prefix = "paretoanywhere"
        package var interval: Duration = .seconds(5)

        package init() {}
    }
}
