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

    /// Returns the summary, and what would have made it more reliable.
    package static func why(_ exposure: Exposure, policy: Policy, names: ExposureNames) -> String {
        let missing = exposure.explanation.missing.map { text($0, names: names) }
        return ([summary(exposure, policy: policy, names: names)] + missing).joined(separator: "; ")
    }

    private static func together(_ exposure: Exposure, at place: String, _ names: ExposureNames) -> [String] {
        let near = Int(exposure.sharedSeconds / 60)
        let close = exposure.explanation.windows.reduce(0) { $0 + ($1.together?.close ?? 0) }
        let isWhole = exposure.explanation.omittedWindows == 0
        var parts = [
            "\(near) \(near == 1 ? "minute" : "minutes") together, mostly at \(place)"
                + (isWhole ? ", \(close) of them close" : "")
        ]
        let located = exposure.explanation.windows.reduce(0) { $0 + ($1.together?.located ?? 0) }
        if located > 0 {
            let all = exposure.explanation.windows.reduce(0) { $0 + ($1.together?.near ?? 0) }
            parts.append(
                (located == all ? "told" : "\(located) of them told") + " by rooms and positions on a surveyed floor")
        }
        if let details = exposure.explanation.together, !details.receivers.isEmpty {
            let heard = details.receivers.prefix(mostReceivers).map { names.receiver($0.receiver) }
            let more = details.receivers.count - heard.count
            parts.append(
                "received alike by \(list(heard))" + (more > 0 ? " and \(more) more" : ""))
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
            parts.append("between \(lower) and \(upper) apart, by their distances from the beacon")
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
        "\(policy) ignores unconfirmed reports"
    }

    package static func text(_ missing: Explanation.Missing, names: ExposureNames) -> String {
        text(missing) { receivers in list(receivers.map(names.receiver)) }
    }

    private static func text(_ missing: Explanation.Missing, naming names: ([Int64]) -> String) -> String {
        switch missing {
        case .distances(let count):
            "\(count) \(count == 1 ? "encounter" : "encounters") without a known distance: not counted"
        case .onset:
            "neither the onset of symptoms nor the day of the test is known: the policy's default is used"
        case .clock:
            ClockDoubt.text
        case .deafReceivers(let receivers):
            "in some of these minutes \(names(receivers)) did not listen: not compared there"
        case .secondReceiver(let count):
            "in \(count) more \(count == 1 ? "minute" : "minutes") only one receiver received both: the same area, "
                + "which does not count"
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
            "warning: for \(days.count) \(days.count == 1 ? "day" : "days") in UTC, \(span), the readings have been "
            + "deleted (store.readings-retention-days): for those days contacts are known only by distances"
    }

    /// Returns a warning about a source that reports more encounters than are possible.
    package static func leftOut(_ source: EncounterSource) -> String {
        if source.isOfPhones {
            return
                "warning: phones report an implausible number of encounters; some encounters of the phones that "
                + "report most are ignored, and subjects known only from those may be missing"
        }
        if source.positive != source.other {
            return
                "warning: \(source.positive) (for the positive) and \(source.other) (for others) report an "
                + "implausible number of encounters; of the subjects met in this way, only those known for longest "
                + "are included"
        }
        return
            "warning: \(source.other) reports an implausible number of encounters; of the subjects that it alone "
            + "reports, only those known for longest are included"
    }

    package static func minutes(_ minutes: Double) -> String { Format.fixed(minutes, 1) + " min" }
}
