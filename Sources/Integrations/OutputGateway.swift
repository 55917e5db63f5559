package import BeaconModel
package import RecordContract

/// The gateway whose outputs they are.
package struct OutputGateway: Equatable, Sendable {
    package var place: Place
    package var topics: Topics
    package var version: String
    /// Nodes elsewhere hear for it, so that a presence needn't be in its own room.
    package var hasEars: Bool

    package init(place: Place, topics: Topics, version: String, hasEars: Bool = false) {
        self.place = place
        self.topics = topics
        self.version = version
        self.hasEars = hasEars
    }

    /// Where a presence that it publishes is, in one word for people.
    var presenceName: String { hasEars ? place.gateway : roomName }

    /// Where it is, in one word for people.
    var roomName: String { place.room.flatMap { $0.isEmpty ? nil : $0 } ?? place.gateway }

    /// Where it is, as a level of a topic.
    var roomLevel: String { TopicLevel.slug(roomName) }

    /// Names it among all gateways of a broker, with the letters of Home Assistant's identifiers. No level of a place has
    /// an underscore, so that no two places have one name.
    package var identifier: String {
        (["bg", place.site, place.building, place.floor, place.gateway]).joined(separator: "_")
    }
}
