import BeaconModel
import OperatorText
import Proximity

/// The table `social-distance`: when two badges are too near each other. Without it there are no alerts.
enum SocialDistanceSettings {
    static func read(_ root: TOMLReader, place: Place) -> SocialDistanceRules? {
        guard let reader = root.table("social-distance") else { return nil }
        defer { reader.finish() }
        var rules = SocialDistanceRules()
        rules.distance = reader.number("distance", in: 0.1...100, unit: "m") ?? rules.distance
        rules.probability = reader.number("probability", in: 0.01...1) ?? rules.probability
        rules.hold = reader.duration("hold", in: .seconds(1)...(.seconds(3600))) ?? rules.hold
        if place.beacon == nil {
            root.report(
                "place.beacon", found: "is missing",
                allowed: "alerts are published under the gateway's own beacon: give uuid, major and minor")
        }
        return rules
    }
}
