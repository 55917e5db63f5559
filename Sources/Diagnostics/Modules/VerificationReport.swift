import BeaconModel
package import ModuleDialogues
import OperatorText

/// Report of a verification. Pure.
package struct VerificationReport {
    package var verification: AdvertisingVerification

    package init(verification: AdvertisingVerification) {
        self.verification = verification
    }

    package var isGood: Bool { verification.isComplete }

    package var lines: [String] { lines(width: nil) }

    /// Returns the report with a table of at most `width` characters; `nil` for one line per row.
    package func lines(width: Int?) -> [String] {
        var table = TextTable([
            ("NAME", .left), ("BEACON", .left), ("RSSI", .right), ("HEARD", .right), ("ADDRESS", .left),
            ("RESULT", .left),
        ])
        let rows = verification.rows
        for row in rows {
            let beacon = row.entry.configuration.beacon
            table.add([
                row.entry.name, "\(beacon.uuid.description.prefix(8))../\(beacon.major)/\(beacon.minor)",
                row.rssi.map { "\($0.dBm) dBm" } ?? "-", "\(row.count)x", row.address?.description ?? "-",
                text(row),
            ])
        }
        var lines = table.lines(width: width)
        for stranger in verification.strangers {
            lines.append(
                "not in the inventory: \(stranger.beacon), received \(stranger.count)x from \(stranger.address)")
        }
        let good = rows.count { $0.verdict == .heard }
        let listens = rows.filter { $0.verdict == .listens }.map {
            " \($0.entry.name) is the receiver and was not verified."
        }
        let count = rows.count - listens.count
        let receivers = rows.filter(\.entry.listens).map(\.entry.name)
        if !receivers.isEmpty {
            lines.append(
                "also configured to scan: \(receivers.joined(separator: ", ")); their states (module/<name>/state) "
                    + "and `health` show whether they do")
        }
        return lines + ["", "\(good) of \(count) beacons are on the air as specified." + listens.joined()]
    }

    /// JSON document for one inventory row, or for a beacon with one of the inventory's UUIDs that no row has.
    package struct Document: Encodable {
        /// Name of the row; `nil` for a beacon that is not in the inventory.
        package var name: String?
        package var beacon: String
        package var isGood: Bool
        /// Result: `heard`, `listens`, `not-heard`, `wrong-measured-power`, `several-devices`, `another-device`,
        /// `something-else` or `not-in-inventory`.
        package var result: String
        package var heard: Int
        package var rssi: Int8?
        package var address: String?
        /// Addresses of all devices that advertise the beacon, if others than the module do.
        package var addresses: [String]?
        /// Beacon that the module advertises instead.
        package var advertised: String?
        package var measuredPower: Int8?
        /// Whether the row has the module listen; omitted when it does not.
        package var listens: Bool?
    }

    package var documents: [Document] {
        verification.rows.map { document($0) }
            + verification.strangers.map {
                Document(
                    name: nil, beacon: $0.beacon.description, isGood: false, result: "not-in-inventory",
                    heard: $0.count,
                    address: $0.address.description)
            }
    }

    private func document(_ row: AdvertisingVerification.Row) -> Document {
        var document = Document(
            name: row.entry.name, beacon: row.entry.configuration.beacon.description,
            isGood: row.verdict.isGood,
            result: "", heard: row.count, rssi: row.rssi?.dBm, address: row.address?.description,
            advertised: row.advertised?.description, listens: row.entry.listens ? true : nil)
        switch row.verdict {
        case .heard: document.result = "heard"
        case .listens: document.result = "listens"
        case .notHeard: document.result = "not-heard"
        case .wrongMeasuredPower(let found):
            document.result = "wrong-measured-power"
            document.measuredPower = found
        case .heardFrom(let addresses):
            document.result = "several-devices"
            document.addresses = addresses.map(\.description)
        case .onlyFromOthers(let addresses):
            document.result = "another-device"
            document.addresses = addresses.map(\.description)
        case .advertisesSomethingElse: document.result = "something-else"
        }
        return document
    }

    private func text(_ row: AdvertisingVerification.Row) -> String {
        switch row.verdict {
        case .heard: "ok, \(row.entry.configuration.measuredPower) dBm"
        case .listens: "is the receiver, which does not receive itself: verify it with another one"
        case .notHeard: "NOT RECEIVED"
        case .wrongMeasuredPower(let found):
            "WRONG MEASURED POWER: \(found) dBm, expected \(row.entry.configuration.measuredPower) dBm"
        case .heardFrom(let addresses):
            "ON THE AIR \(addresses.count) TIMES: from " + addresses.map(\.description).joined(separator: ", ")
        case .onlyFromOthers(let addresses):
            "FROM ANOTHER DEVICE: " + addresses.map(\.description).joined(separator: ", ")
        case .advertisesSomethingElse:
            "ADVERTISES SOMETHING ELSE: " + (row.advertised.map { "\($0)" } ?? "unknown")
        }
    }
}
