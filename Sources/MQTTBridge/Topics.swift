public import BeaconModel

/// The topics of one gateway: `<prefix>/v1/<site>/<building>/<floor>/<gateway>/...`.
///
/// All levels are checked when the configuration is read, because a broker closes the connection over a topic that
/// it doesn't like, and would do so again after every reconnect.
public struct Topics: Equatable, Sendable {
    /// The longest topic that every supported broker routes, in bytes.
    public static let longestTopic = 200
    /// What comes below the root at most: a beacon's topic.
    private static let longestSuffix = "/beacon/".count + 36 + "/65535/65535/social-distance".count

    public let root: String

    public init(prefix: String, place: Place) {
        root = [prefix, "v1", place.site, place.building, place.floor, place.gateway].joined(separator: "/")
    }

    /// Whether the longest topic under the root fits.
    public var isShortEnough: Bool { root.utf8.count + Self.longestSuffix <= Self.longestTopic }

    /// What the four levels of a place have together at most, with their slashes: a gateway whose place is longer has
    /// topics that don't fit, whatever its prefix is.
    public static let longestPlace = longestTopic - longestSuffix - "p/v1/".count

    /// Whether a gateway can have these levels: site, building, floor and gateway.
    public static func isPlace(_ levels: [String]) -> Bool {
        levels.count == 4 && levels.allSatisfy(isLevel)
            && levels.reduce(levels.count - 1) { $0 + $1.utf8.count } <= longestPlace
    }

    /// Whether `level` is made of a-z, 0-9 and hyphens, which every broker takes.
    public static func isLevel(_ level: String) -> Bool {
        !level.isEmpty
            && level.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    public var status: String { root + "/status" }
    public var info: String { root + "/info" }
    public var health: String { root + "/health" }
    public var readings: String { root + "/readings" }
    /// Written by the consumer.
    public var stored: String { root + "/stored" }

    public func interaction(_ beacon: BeaconID) -> String { "\(root)/beacon/\(beacon)/interaction" }
    public func presence(_ beacon: BeaconID) -> String { "\(root)/beacon/\(beacon)/presence" }
    public func socialDistance(_ beacon: BeaconID) -> String { "\(root)/beacon/\(beacon)/social-distance" }
    /// Of all commands.
    public var commands: String { root + "/command/+" }

    /// The name of the command that came on `topic`; `nil` for another topic.
    public func command(_ topic: String) -> String? {
        let prefix = root + "/command/"
        guard topic.hasPrefix(prefix) else { return nil }
        return String(topic.dropFirst(prefix.count))
    }

    public func command(named name: String) -> String { "\(root)/command/\(name)" }
    public func reply(_ command: String) -> String { "\(root)/reply/\(command)" }
    public func moduleState(_ name: String) -> String { "\(root)/module/\(name)/state" }
    public func moduleEvent(_ name: String) -> String { "\(root)/module/\(name)/event" }
}
