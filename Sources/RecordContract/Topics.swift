package import BeaconModel

/// The topics of one gateway: `<prefix>/v1/<site>/<building>/<floor>/<gateway>/...`.
///
/// All levels are checked when the configuration is read. A broker closes the connection over a topic that it does not
/// accept, and would do so again after every reconnect.
package struct Topics: Equatable, Sendable {
    /// The longest topic that every supported broker routes, in bytes.
    package static let longestTopic = 200
    /// Length of the longest suffix below the root: a beacon's topic.
    private static let longestSuffix = "/beacon/".count + 36 + "/65535/65535/social-distance".count

    package let root: String

    package init(prefix: String, place: Place) {
        root = [prefix, "v1", place.site, place.building, place.floor, place.gateway].joined(separator: "/")
    }

    /// Whether the longest topic under the root fits.
    package var isShortEnough: Bool { root.utf8.count + Self.longestSuffix <= Self.longestTopic }

    /// Maximum length of the four levels of a place together, including their slashes. With a longer place, topics do
    /// not fit, whatever the prefix is.
    package static let longestPlace = longestTopic - longestSuffix - "p/v1/".count

    /// Whether a gateway can have these levels: site, building, floor and gateway.
    package static func isPlace(_ levels: [String]) -> Bool {
        levels.count == 4 && levels.allSatisfy(isLevel)
            && levels.reduce(levels.count - 1) { $0 + $1.utf8.count } <= longestPlace
    }

    /// Whether `level` consists of a-z, 0-9 and hyphens, which every broker accepts.
    package static func isLevel(_ level: String) -> Bool {
        !level.isEmpty
            && level.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    package var status: String { root + "/status" }
    package var info: String { root + "/info" }
    package var health: String { root + "/health" }
    package var configuration: String { root + "/configuration" }
    package var readings: String { root + "/readings" }
    package var signals: String { root + "/signals" }
    /// The topic on which the consumer reports what it has stored.
    package var stored: String { root + "/stored" }

    package func interaction(_ beacon: BeaconID) -> String { "\(root)/beacon/\(beacon)/interaction" }
    package func presence(_ beacon: BeaconID) -> String { "\(root)/beacon/\(beacon)/presence" }
    package func socialDistance(_ beacon: BeaconID) -> String { "\(root)/beacon/\(beacon)/social-distance" }
    /// The topic filter for all commands.
    package var commands: String { root + "/command/+" }

    /// Returns the name of the command that arrived on `topic`; `nil` for another topic.
    package func command(_ topic: String) -> String? {
        let prefix = root + "/command/"
        guard topic.hasPrefix(prefix) else { return nil }
        return String(topic.dropFirst(prefix.count))
    }

    package func command(named name: String) -> String { "\(root)/command/\(name)" }
    package func reply(_ command: String) -> String { "\(root)/reply/\(command)" }
    package func moduleState(_ name: String) -> String { "\(root)/module/\(name)/state" }
    package func moduleEvent(_ name: String) -> String { "\(root)/module/\(name)/event" }
}
