public import BeaconModel

/// The gateway whose outputs they are.
public struct OutputGateway: Equatable, Sendable {
    public var place: Place
    public var topics: Topics
    public var version: String

    public init(place: Place, topics: Topics, version: String) {
        self.place = place
        self.topics = topics
        self.version = version
    }

    /// Where it is, in one word for people.
    var roomName: String { place.room.flatMap { $0.isEmpty ? nil : $0 } ?? place.gateway }

    /// Where it is, as a level of a topic.
    var roomLevel: String { TopicLevel.slug(roomName) }

    /// Names it among all gateways of a broker, with the letters of Home Assistant's identifiers. No level of a place has
    /// an underscore, so that no two places have one name.
    var identifier: String {
        (["bg", place.site, place.building, place.floor, place.gateway]).joined(separator: "_")
    }
}
