import BeaconModel
package import Evidence
package import Matching
import OperatorText

/// Explanations of exposures in words.
package enum ExposureWords {
    package static func summary(_ exposure: Exposure, policy: Policy, names: ExposureNames) -> String {
        let place = names.places[exposure.place].map { $0.room ?? $0.key } ?? "a place"
        var parts =
            switch exposure.way {
            case .together: together(exposure, at: place, names)
            case .beacon: byBeacon(exposure, at: place, policy)
            }
        if exposure.explanation.infectiousness != 1 {
            parts.append("infectiousness of the day \(Format.fixed(exposure.explanation.infectiousness, 2))")
        }
        return parts.joined(separator: "; ")
    }

    private static func together(_ exposure: Exposure, at place: String, _ names: ExposureNames) -> [String] {
        let near = Int(exposure.sharedSeconds / 60)
        let close = exposure.explanation.windows.reduce(0) { $0 + ($1.together?.close ?? 0) }
        let isWhole = exposure.explanation.omittedWindows == 0
        var parts = [
            "\(near) \(near == 1 ? "minute" : "minutes") together, mostly at \(place)"
                + (isWhole ? ", \(close) of them close" : "")
        ]
        if let details = exposure.explanation.together, !details.receivers.isEmpty {
            let heard = details.receivers.prefix(mostReceivers).map { names.receiver($0.receiver) }
            let more = details.receivers.count - heard.count
            parts.append(
                "heard alike by \(list(heard))" + (more > 0 ? " and \(more) more" : ""))
        }
        parts.append("a contact with a probability of \(percent(exposure.probability))")
        if abs(exposure.minutes - Double(near)) > 0.05 { parts.append("counts \(minutes(exposure.minutes))") }
        return parts
    }

    private static let mostReceivers = 3

    private static func byBeacon(_ exposure: Exposure, at place: String, _ policy: Policy) -> [String] {
        let apart = exposure.explanation.windows.compactMap { $0.distances?.apart }.filter { $0 > 0 }.min()
        let time =
            exposure.sharedSeconds > 0
            ? "together for \(minutes(Double(exposure.sharedSeconds) / 60))"
            : "after each other, \(apart ?? 0) s apart,"
        let count = exposure.explanation.windows.count + exposure.explanation.omittedWindows
        var parts = ["\(time) at \(place)"]
        if let range = exposure.range {
            let lower = Metres.text(Double(range.lowerBound) / 100)
            let upper = Metres.text(Double(range.upperBound) / 100)
            parts.append("between \(lower) and \(upper) apart by their distances from the beacon")
        }
        parts.append("\(radius(policy)) with a probability of \(percent(exposure.probability))")
        if policy.attenuation != nil || policy.contact.nearness == .probability {
            parts.append("counts \(minutes(exposure.minutes)) in \(count) \(count == 1 ? "window" : "windows")")
        }
        return parts
    }

    private static func radius(_ policy: Policy) -> String {
        "within \(Metres.text(Double(policy.contact.radius) / 100))"
    }

    private static func percent(_ probability: Double) -> String { Format.fixed(probability * 100, 0) + " %" }

    /// Joins names: `a`, `a and b`, `a, b and c`.
    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    /// Returns a note on a report that the policy gives no weight.
    package static func nothingFollows(by policy: String) -> String {
        "by \(policy) nothing follows from what nobody vouches for"
    }

    package static func text(_ missing: Explanation.Missing, names: ExposureNames) -> String {
        text(missing) { receivers in list(receivers.map(names.receiver)) }
    }

    private static func text(_ missing: Explanation.Missing, naming names: ([Int64]) -> String) -> String {
        switch missing {
        case .distances(let count):
            "of \(count) \(count == 1 ? "encounter" : "encounters") a distance isn't known: not counted"
        case .onset:
            "neither the onset of symptoms nor the day of the test is known: the policy's value for that is taken"
        case .clock:
            ClockDoubt.text
        case .deafReceivers(let receivers):
            "in some of these minutes \(names(receivers)) didn't listen: not compared there"
        case .secondReceiver(let count):
            "in \(count) more \(count == 1 ? "minute" : "minutes") only one receiver heard both: the same area, which doesn't count"
        }
    }

    /// Returns the level, with the policy's own word for it if that is different.
    package static func risk(_ level: RiskLevel, label: String) -> String {
        label.isEmpty || label == level.rawValue ? level.rawValue : "\(level.rawValue) (\(label))"
    }

    /// Returns a warning about the days whose readings are gone; `nil` if there are none.
    ///
    /// - Parameter days: days since 1970, ascending.
    package static func withoutReadings(_ days: [Int64]) -> String? {
        guard let first = days.first, let last = days.last else { return nil }
        let span = days.count == 1 ? DayText.text(first) : "\(DayText.text(first)) to \(DayText.text(last))"
        return
            "warning: of \(days.count) \(days.count == 1 ? "day" : "days") in UTC, \(span), there are no readings any more "
            + "(store.readings-retention-days): who was with them then is known by distances only"
    }

    /// Returns a warning about a source that reports more encounters than are possible.
    package static func leftOut(_ source: EncounterSource) -> String {
        if source.isOfPhones {
            return
                "warning: phones tell of more encounters than anybody has; of those that say most a part isn't looked at, and "
                + "who is known by it alone may be missing"
        }
        if source.positive != source.other {
            return
                "warning: by what \(source.positive) tells of the positive, and \(source.other) of others there or beside it, are "
                + "more encounters than anybody has; of those who were met so, the ones that have been known for longest are looked at"
        }
        return
            "warning: \(source.other) tells of more encounters than anybody has; of those who were met by its word alone the ones "
            + "that have been known for longest are looked at"
    }

    package static func minutes(_ minutes: Double) -> String { Format.fixed(minutes, 1) + " min" }
}
