/// What other people's tools are told, each in its own convention. Nothing of it is on by itself.
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

    /// Readings for Home Assistant's `mqtt_room`, and whatever takes what ESPresense and room-assistant publish.
    package struct RoomPresence: Equatable, Sendable {
        package var prefix = "espresense/devices"
        package var interval: Duration = .seconds(5)

        package init() {}
    }

    /// Devices by the Homie convention, version 5.
    package struct Homie: Equatable, Sendable {
        /// One level, before `/5/`.
        package var prefix = "homie"

        package init() {}
    }

    /// Radio decodings as reelyActive's tools publish them.
    package struct Raddec: Equatable, Sendable {
        package var prefix = "paretoanywhere"
        package var interval: Duration = .seconds(5)

        package init() {}
    }
}
