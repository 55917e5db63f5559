import BeaconModel
import InteractionStore
import Matching
import OperatorText

/// Why somebody counts as exposed, in words.
enum ExposureWords {
    static func summary(_ exposure: Exposure, policy: Policy, names: ExposureNames) -> String {
        let place = names.places[exposure.place].map { $0.room ?? $0.key } ?? "a place"
        let lower = Metres.text(Double(exposure.range.lowerBound) / 100)
        let upper = Metres.text(Double(exposure.range.upperBound) / 100)
        let apart = exposure.explanation.windows.map(\.apart).filter { $0 > 0 }.min()
        let time =
            exposure.sharedSeconds > 0
            ? "together for \(minutes(Double(exposure.sharedSeconds) / 60))"
            : "after each other, \(apart ?? 0) s apart,"
        let count = exposure.explanation.windows.count + exposure.explanation.omittedWindows
        var parts = [
            "\(time) at \(place)",
            "between \(lower) and \(upper) apart by their distances from the beacon",
            "within \(Metres.text(Double(policy.contact.radius) / 100)) with a probability of "
                + "\(Format.fixed(exposure.probability * 100, 0)) %",
        ]
        if policy.attenuation != nil || policy.contact.nearness == .probability {
            parts.append("counts \(minutes(exposure.minutes)) in \(count) \(count == 1 ? "window" : "windows")")
        }
        if exposure.explanation.infectiousness != 1 {
            parts.append("infectiousness of the day \(Format.fixed(exposure.explanation.infectiousness, 2))")
        }
        return parts.joined(separator: "; ")
    }

    /// A report that the policy gives no weight.
    static func nothingFollows(by policy: String) -> String {
        "by \(policy) nothing follows from what nobody vouches for"
    }

    /// Without the place and the time of the day.
    static func summary(ofDay exposure: Exposure, policy: Policy) -> String {
        "near somebody who reported positive; counts \(minutes(exposure.minutes)); within "
            + "\(Metres.text(Double(policy.contact.radius) / 100)) with a probability of "
            + "\(Format.fixed(exposure.probability * 100, 0)) %"
    }

    static func text(_ missing: Explanation.Missing) -> String {
        switch missing {
        case .distances(let count):
            "of \(count) \(count == 1 ? "encounter" : "encounters") a distance isn't known: not counted"
        case .onset:
            "neither the onset of symptoms nor the day of the test is known: the policy's value for that is taken"
        case .clock:
            ClockDoubt.text
        }
    }

    /// The level, and the policy's own word for it where that is another.
    static func risk(_ level: RiskLevel, label: String) -> String {
        label.isEmpty || label == level.rawValue ? level.rawValue : "\(level.rawValue) (\(label))"
    }

    static func minutes(_ minutes: Double) -> String { Format.fixed(minutes, 1) + " min" }
}
