package import BeaconModel
import RecordContract

/// The place of a gateway as one name: `site/building/floor/gateway`.
package struct GatewayPath: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let site: String
    package let building: String
    package let floor: String
    package let gateway: String

    /// - Parameter levels: the four levels; `nil` is returned if no gateway can have them.
    package init?(_ levels: [String]) {
        guard Topics.isPlace(levels) else { return nil }
        (site, building, floor, gateway) = (levels[0], levels[1], levels[2], levels[3])
    }

    /// Parses `site/building/floor/gateway`.
    package init?(_ text: String) {
        self.init(text.split(separator: "/", omittingEmptySubsequences: false).map(String.init))
    }

    package var levels: [String] { [site, building, floor, gateway] }
    package var description: String { levels.joined(separator: "/") }
    package var place: Place { Place(site: site, building: building, floor: floor, gateway: gateway) }

    /// Returns whether the gateway is at a place: `site`, `site/building` and so on.
    package func isWithin(_ prefix: [String]) -> Bool { levels.starts(with: prefix) }

    package static func < (one: GatewayPath, other: GatewayPath) -> Bool {
        one.levels.lexicographicallyPrecedes(other.levels, by: naturally)
    }

    /// Compares names as people sort them: floor 2 before floor 10.
    private static func naturally(_ one: String, _ other: String) -> Bool {
        let (left, right) = (parts(one), parts(other))
        for (first, second) in zip(left, right) where first != second {
            if let number = Int(first), let another = Int(second), number != another { return number < another }
            return first < second
        }
        return left.count == right.count ? one < other : left.count < right.count
    }

    /// Splits a name into digits and other characters.
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var wasDigit: Bool?
        for character in text {
            if character.isNumber == wasDigit {
                parts[parts.count - 1].append(character)
            } else {
                parts.append(String(character))
            }
            wasDigit = character.isNumber
        }
        return parts
    }
}
