import BeaconModel
import OperatorText
import Proximity

/// The table `distance`: how RSSI is converted to distance, and the calibration measured for it.
struct DistanceSettings: Equatable, Sendable {
    var rules = DistanceRules()
    /// Whether the receivers' offsets and the exponent are learned from our own fixed beacons.
    var isAutomatic = true

    static func read(_ root: TOMLReader, readFile: (String) throws -> [UInt8]) -> DistanceSettings {
        var settings = DistanceSettings()
        guard let reader = root.table("distance") else { return settings }
        defer { reader.finish() }
        settings.rules.beacons = readModel(reader, settings.rules.beacons)
        if let phones = reader.table("phones") {
            settings.rules.phones = readModel(phones, settings.rules.phones)
            phones.finish()
        }
        if let automatic = reader.boolean("automatic-calibration") { settings.isAutomatic = automatic }
        if let path = reader.string("calibration") {
            do {
                settings.rules.calibration = try CalibrationFile.parse(readFile(path), path: path)
            } catch let error as CalibrationFileError {
                reader.adopt(error.problems, of: path)
            } catch {
                reader.report(
                    "calibration", found: "\(error)", allowed: "must be a file written by `beacon-gateway calibrate`")
            }
        }
        return settings
    }

    private static func readModel(_ reader: TOMLReader, _ standard: DistanceModel) -> DistanceModel {
        let names = DistanceModel.presets.map(\.name).joined(separator: ", ")
        var model =
            reader.parsed("preset", allowed: "one of \(names)") { name in
                DistanceModel.presets.first { $0.name == name }?.model
            } ?? standard
        model.exponent = reader.number("exponent", in: 1...6) ?? model.exponent
        model.shadowing = reader.number("shadowing", in: 1...20, unit: "dB") ?? model.shadowing
        model.priorMedian = reader.number("prior-median", in: 0.1...100, unit: "m") ?? model.priorMedian
        model.priorSpread = reader.number("prior-spread", in: 0.05...5) ?? model.priorSpread
        model.defaultMeasuredPower =
            reader.number("measured-power", in: -120...0, unit: "dBm") ?? model.defaultMeasuredPower
        return model
    }
}
