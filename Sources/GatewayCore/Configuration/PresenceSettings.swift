import BeaconModel
import OperatorText
import Proximity

/// The table `interactions`: when a subject counts as present and when as departed.
enum PresenceSettings {
    private static let silences: ClosedRange<Duration> = .seconds(1)...(.seconds(3600))
    /// Allowed maximum lengths of an interaction. The contract allows no longer ones.
    private static let lengths: ClosedRange<Duration> = .seconds(60)...(.seconds(1800))
    /// Maximum number of beacons with rules of their own.
    private static let mostBeacons = 10_000

    static func read(_ root: TOMLReader) -> InteractionRules {
        var rules = InteractionRules()
        guard let reader = root.table("interactions") else { return rules }
        defer { reader.finish() }
        rules.silence = readSilence(reader, rules.silence)
        rules.updateInterval = reader.duration("update-interval", in: silences) ?? rules.updateInterval
        rules.longest = reader.duration("longest", in: lengths) ?? rules.longest
        rules.capacity = reader.integer("capacity", in: 1...100_000) ?? rules.capacity
        let beacons = reader.tables("beacon")
        if beacons.count > mostBeacons {
            reader.report("beacon", found: "has \(beacons.count) beacons", allowed: "must have at most \(mostBeacons)")
        }
        for beacon in beacons.prefix(mostBeacons) {
            for key in ["uuid", "major", "minor"] where !beacon.has(key) {
                beacon.missing(key, allowed: ModuleReader.form(of: key))
            }
            let silence = readSilence(beacon, rules.silence)
            if let identity = ModuleReader.readBeacon(beacon),
                rules.silenceOfBeacons.updateValue(silence, forKey: identity) != nil
            {
                beacon.report("minor", found: "\(identity) is duplicated", allowed: "name each beacon once")
            }
            beacon.finish()
        }
        return rules
    }

    static func readSilence(
        _ reader: TOMLReader, _ general: InteractionRules.Silence
    ) -> InteractionRules.Silence {
        var silence = general
        if let assumed = reader.duration("silence", in: silences) {
            silence.assumed = assumed
            // A limit that is not given makes room for the assumed silence.
            silence.shortest = min(silence.shortest, assumed)
            silence.longest = max(silence.longest, assumed)
        }
        silence.shortest = reader.duration("shortest-silence", in: silences) ?? silence.shortest
        silence.longest = reader.duration("longest-silence", in: silences) ?? silence.longest
        if let probability = reader.number("false-end-probability") {
            if probability >= 1e-6, probability <= 0.9 {
                silence.falseEndProbability = probability
            } else {
                reader.report(
                    "false-end-probability", found: "found \(probability)",
                    allowed: "must be from 0.000001 to 0.9: the probability of a false departure per hour")
            }
        }
        if silence.shortest > silence.longest {
            reader.report(
                "shortest-silence", found: "is longer than longest-silence",
                allowed: "must be at most as long; make them equal for a fixed silence")
        }
        return silence
    }
}
