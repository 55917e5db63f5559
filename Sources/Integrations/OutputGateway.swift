package import BeaconModel
package import RecordContract

/// The gateway to which the outputs belong.
package struct OutputGateway: Equatable, Sendable {
    package var place: Place
    package var topics: Topics
    package var version: String
    /// Whether the gateway has remote receivers. A presence is then not necessarily in its own room.
    package var hasRemoteReceivers: Bool

    package init(place: Place, topics: Topics, version: String, hasRemoteReceivers: Bool = false) {
        self.place = place
        self.topics = topics
        self.version = version
        self.hasRemoteReceivers = hasRemoteReceivers
    }

    /// The location of the presences that it publishes, as one name for display.
    var presenceName: String { hasRemoteReceivers ? place.gateway : roomName }

    /// The gateway's own location, as one name for display.
    var roomName: String { place.room.flatMap { $0.isEmpty ? nil : $0 } ?? place.gateway }

    /// The gateway's own location, as a level of a topic.
    var roomLevel: String { TopicLevel.slug(roomName) }

    /// Identifier that is unique among all gateways of a broker, in the characters of Home Assistant's identifiers. No
    /// level of a place has an underscore, so no two places share an identifier.
    package var identifier: String {
        (["bg", place.site, place.building, place.floor, place.gateway]).joined(separator: "_")
    }
}
