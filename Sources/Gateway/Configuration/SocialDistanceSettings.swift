import BeaconModel
import Proximity

/// The table `social-distance`: when two badges are too near each other. Without it nobody is told.
enum SocialDistanceSettings {
    static func read(_ root: TOMLReader, place: Place) -> SocialDistanceRules? {
        guard let reader = root.table("social-distance") else { return nil }
        defer { reader.finish() }
        var rules = SocialDistanceRules()
        func number(_ key: String, in range: ClosedRange<Double>, _ unit: String) -> Double? {
            guard let value = reader.number(key) else { return nil }
            guard range.contains(value) else {
                reader.report(
                    key, found: "found \(value)",
                    allowed: "must be from \(range.lowerBound) to \(range.upperBound)\(unit)")
                return nil
            }
            return value
        }
        rules.distance = number("distance", in: 0.1...100, " m") ?? rules.distance
        rules.probability = number("probability", in: 0.01...1, "") ?? rules.probability
        rules.hold = reader.duration("hold", in: .seconds(1)...(.seconds(3600))) ?? rules.hold
        if place.beacon == nil {
            root.report(
                "place.beacon", found: "is missing",
                allowed: "alerts are published under the gateway's own beacon: give uuid, major and minor")
        }
        return rules
    }
}
