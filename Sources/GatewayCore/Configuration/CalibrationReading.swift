import BeaconModel
package import OperatorText
package import Proximity

/// A reader of calibration tables that collects problems.
package struct CalibrationReading {
    private let collected = TOMLReader.Problems()

    package var problems: [ConfigurationProblem] { collected.all }

    package func read(_ bytes: [UInt8]) -> Calibration {
        guard bytes.count <= CalibrationFile.longest else {
            return refuse("file", "has \(bytes.count) bytes", "must have at most \(CalibrationFile.longest)")
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard let text = String(validating: body, as: UTF8.self), !body.contains(0) else {
            return refuse("file", "is not UTF-8 text", "save it as UTF-8 text")
        }
        guard let root = TOMLReader(text, problems: collected) else { return Calibration() }
        let calibration = Calibration(
            beacons: table(root, "beacons") { reader in
                beacon(reader).map { ($0, "minor", "\($0)") }
            } value: {
                beaconRow($0)
            },
            receivers: table(root, "receivers") { reader in
                address(reader).map { ($0, "address", "\($0)") }
            } value: {
                receiverRow($0)
            })
        root.finish()
        return calibration
    }

    private func refuse(_ location: String, _ found: String, _ allowed: String) -> Calibration {
        collected.all.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
        return Calibration()
    }

    /// Returns rows whose keys are unique.
    ///
    /// - Parameter key: returns the key of a row, the TOML key it is reported under, and its name.
    private func table<Key: Hashable, Row>(
        _ root: TOMLReader, _ name: String, key: (TOMLReader) -> (key: Key, tomlKey: String, text: String)?,
        value: (TOMLReader) -> Row?
    ) -> [Key: Row] {
        let readers = root.tables(name)
        if readers.count > CalibrationFile.mostRows {
            root.report(
                name, found: "has \(readers.count) rows", allowed: "must have at most \(CalibrationFile.mostRows)")
        }
        var rows: [Key: Row] = [:]
        var others: [Key: TOMLReader] = [:]
        for reader in readers.prefix(CalibrationFile.mostRows) {
            let key = key(reader)
            let row = value(reader)
            reader.finish()
            guard let key else { continue }
            if let other = others[key.key] {
                let line = other.position.map { "line \($0.line)" } ?? other.place
                reader.report(
                    key.tomlKey, found: "\(key.text) is duplicated, in \(line) too", allowed: "must have one row")
            } else {
                others[key.key] = reader
                rows[key.key] = row
            }
        }
        return rows
    }

    private func beacon(_ reader: TOMLReader) -> BeaconID? {
        for key in ["uuid", "major", "minor"] where !reader.has(key) {
            reader.missing(key, allowed: ModuleReader.form(of: key))
        }
        return ModuleReader.readBeacon(reader)
    }

    private func address(_ reader: TOMLReader) -> BluetoothAddress? {
        let form = "an adapter's address: 00:1A:7D:DA:71:13"
        if !reader.has("address") { reader.missing("address", allowed: form) }
        return reader.parsed("address", allowed: form) { BluetoothAddress($0) }
    }

    private func beaconRow(_ reader: TOMLReader) -> BeaconCalibration? {
        let power = number(reader, "measured-power", in: CalibrationFile.measuredPowers, isRequired: true)
        let deviation = number(reader, "deviation", in: CalibrationFile.deviations)
        let samples = reader.integer("samples", in: 0...1_000_000_000)
        let exponent = number(reader, "exponent", in: CalibrationFile.exponents)
        let measuredAt = reader.parsed("measured-at", allowed: RFC3339Text.form) { RFC3339Text.parse($0) }
        guard let power else { return nil }
        return BeaconCalibration(
            measuredPower: power, deviation: deviation ?? 0, samples: samples ?? 0, exponent: exponent,
            measuredAt: measuredAt)
    }

    private func receiverRow(_ reader: TOMLReader) -> ReceiverCalibration? {
        let offset = number(reader, "offset", in: CalibrationFile.offsets, isRequired: true)
        let measuredAt = reader.parsed("measured-at", allowed: RFC3339Text.form) { RFC3339Text.parse($0) }
        return offset.map { ReceiverCalibration(offset: $0, measuredAt: measuredAt) }
    }

    private func number(
        _ reader: TOMLReader, _ key: String, in range: ClosedRange<Double>, isRequired: Bool = false
    ) -> Double? {
        let allowed = "from \(Format.fixed(range.lowerBound, 0)) to \(Format.fixed(range.upperBound, 0))"
        if isRequired, !reader.has(key) { reader.missing(key, allowed: allowed) }
        guard let number = reader.number(key) else { return nil }
        guard range.contains(number) else {
            reader.report(key, found: "found \(number)", allowed: "must be \(allowed)")
            return nil
        }
        return number
    }
}
