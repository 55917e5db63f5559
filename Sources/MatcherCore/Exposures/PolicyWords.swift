package import Matching
import OperatorText

/// Rules of a policy in sentences for people. Pure.
package enum PolicyWords {
    /// Returns what counts as a contact.
    package static func contacts(_ policy: Policy) -> [String] {
        guard let together = policy.together else { return byBeacon(policy) }
        return self.together(together) + [
            "Where a floor has only one receiver, or readings are missing, distances from a beacon decide:"
        ] + byBeacon(policy)
    }

    private static func together(_ rule: TogetherRule) -> [String] {
        var sentences = [
            "Two people are near each other in a minute if all receivers in reach hear both alike: with a similarity "
                + "of at least \(Format.fixed(rule.near.similarity, 2)), where 1 means the same."
        ]
        if rule.close > rule.near {
            sentences.append("They are close from a similarity of \(Format.fixed(rule.close.similarity, 2)).")
        }
        if rule.nearWeight != 1 || rule.closeWeight != 1 {
            sentences.append(
                rule.close > rule.near
                    ? "A near minute counts \(number(rule.nearWeight)), a close one \(number(rule.closeWeight))."
                    : "Each of these minutes counts \(number(rule.closeWeight)).")
        }
        sentences.append(least(rule.leastMinutes, rule.period))
        return sentences
    }

    private static func byBeacon(_ policy: Policy) -> [String] {
        let rule = policy.contact
        let radius = metres(rule.radius)
        var sentences: [String] =
            switch rule.nearness {
            case .sumOfDistances:
                ["Two people are near each other if their distances from a beacon add up to \(radius) or less."]
            case .probability:
                policy.attenuation == nil
                    ? ["Each shared minute counts by the probability that the two were within \(radius) of each other."]
                    : ["Two people count only if they may have been within \(radius) of each other."]
            }
        if let attenuation = policy.attenuation { sentences += weights(attenuation) }
        if let placeRadius = rule.placeRadius {
            sentences.append("Each of them is at most \(metres(placeRadius)) from the beacon.")
        }
        if rule.window > 0 {
            sentences.append(
                "They need not be there at the same time: \(minutes(Double(rule.window) / 60)) may pass between one "
                    + "leaving and the other arriving.")
        }
        sentences.append(least(rule.leastMinutes, rule.period))
        return sentences
    }

    private static func weights(_ rule: AttenuationRule) -> [String] {
        let below = zip(rule.thresholds, rule.weights).map { threshold, weight in
            "\(number(weight)) below \(number(threshold)) dB"
        }
        let last = rule.weights.last.map { ["\(number($0)) from there"] } ?? []
        var sentences = [
            "Minutes count by the attenuation between the two: " + (below + last).joined(separator: ", ")
                + ". It is derived from the distance, and not measured."
        ]
        if rule.leastWindowMinutes > 0 {
            sentences.append(
                "Within \(minutes(Double(rule.window) / 60)), less than \(minutes(rule.leastWindowMinutes)) "
                    + "do not count.")
        }
        return sentences
    }

    private static func least(_ least: Double, _ period: ContactRule.Period) -> String {
        let span =
            switch period {
            case .day: "of one day"
            case .anyDay: "of any 24 hours"
            case .episode(let gap): "of one meeting, which ends when \(minutes(Double(gap) / 60)) pass without contact"
            }
        return least > 0
            ? "It is an exposure from \(minutes(least)) \(span)."
            : "Any time is enough for an exposure; what counts is the time \(span)."
    }

    /// Returns how much a report and its days weigh.
    package static func weights(_ policy: Policy) -> [String] {
        let types = policy.reportTypes
        var sentences = [
            report("confirmed report", types.confirmed), report("self-reported test", types.selfReported),
        ]
        let rule = policy.infectiousness
        guard rule.dependsOnDay else { return sentences + ["All days count alike."] }
        let spans = rule.spans.map { span in
            let (first, last) = (span.days.lowerBound, span.days.upperBound)
            let days = first == last ? "day \(first)" : "days \(first) to \(last)"
            return "\(number(span.weight)) on \(days)"
        }
        sentences.append(
            "Minutes count by the day, from the onset of symptoms or otherwise the test as day 0: "
                + spans.joined(separator: ", ") + ", and \(number(rule.otherwise)) on all others.")
        sentences.append("If neither day is known, they count \(number(rule.unknown)).")
        return sentences
    }

    private static func report(_ name: String, _ weight: Double) -> String {
        if weight == 0 { return "Nothing follows from a \(name)." }
        return weight == 1 ? "A \(name) counts in full." : "A \(name) counts \(number(weight))."
    }

    /// Returns what the level of risk is decided by.
    package static func measure(_ rule: RiskRule) -> String {
        let days = rule.days == 1 ? "of the last day" : "of the last \(rule.days) days"
        return switch rule.measure {
        case .exposures: "The level follows from the number of exposures \(days)."
        case .dailyMinutes: "The level follows from the counted minutes of the day with the most, \(days)."
        }
    }

    /// Returns from which value a step of the risk applies.
    package static func from(_ step: RiskRule.Step, _ rule: RiskRule) -> String {
        switch rule.measure {
        case .exposures: step.from == 1 ? "1 exposure" : "\(number(step.from)) exposures"
        case .dailyMinutes: minutes(step.from)
        }
    }

    private static func metres(_ centimetres: Int64) -> String { Metres.text(Double(centimetres) / 100) }

    private static func minutes(_ minutes: Double) -> String {
        minutes == 1 ? "1 minute" : "\(number(minutes)) minutes"
    }

    /// Returns a number without zeros at its end.
    private static func number(_ value: Double) -> String {
        let text = Format.fixed(value, 2)
        if text.hasSuffix(".00") { return String(text.dropLast(3)) }
        return text.hasSuffix("0") ? String(text.dropLast()) : text
    }
}
