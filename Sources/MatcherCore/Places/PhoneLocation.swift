package import Localisation
package import Matching
import RealModule

/// Where a phone is, by the beacons that it ranged itself: the filter of live positions, with beacons as receivers.
///
/// The phone's own calibration is unknown, as a badge's power is. Distances are turned back into levels by the exponent
/// of the model; that a phone's own exponent may differ is part of the model's deviation.
package enum PhoneLocation {
    /// Time before the latest reading from which readings count, in seconds.
    private static let reach: Int64 = 120
    /// Least distance that is believed, in metres.
    private static let leastDistance = 0.1

    /// Returns where the phone was at its latest reading; `nil` if it ranged no beacon with a known position.
    ///
    /// - Parameters:
    ///   - ranged: readings in any order.
    ///   - models: models by building, whose receivers are beacons: `uuid/major/minor`.
    package static func position(
        of phone: SubjectIdentity, _ ranged: [PhoneStays.Ranged], models: [String: BuildingModel]
    ) -> LivePosition? {
        let counts = models.mapValues { model in ranged.count { model.receiver($0.beacon) != nil } }
        guard let building = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), building.value > 0,
            let model = models[building.key]
        else { return nil }
        var seconds: [Int64: [HeardSignal]] = [:]
        for reading in ranged {
            guard let metres = reading.metres, let receiver = model.receiver(reading.beacon) else { continue }
            let rssi =
                model.settings.referencePower
                - 10 * model.settings.exponent * .log10(max(leastDistance, metres))
            seconds[reading.time, default: []].append(HeardSignal(receiver: receiver, rssi: rssi))
        }
        guard let last = seconds.keys.max() else { return nil }
        let counted = seconds.filter { $0.key > last - reach }.sorted { $0.key < $1.key }
        var tracked = TrackedSubject(phone, in: building.key, model, at: Double(counted[0].key))
        var scratch = FilterScratch()
        for (second, signals) in counted {
            tracked.hear(signals, time: Double(second + 1), window: 1, listening: [], model, &scratch)
        }
        return tracked.position
    }
}
