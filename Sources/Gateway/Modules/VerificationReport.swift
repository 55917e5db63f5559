import BeaconModel
import OperatorText
import UARTConfig

/// What a person reads of a verification. Pure.
struct VerificationReport {
    var verification: AirVerification

    var isGood: Bool { verification.isComplete }

    var lines: [String] {
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
        var lines = table.lines
        for stranger in verification.strangers {
            lines.append(
                "not in the inventory: \(stranger.beacon), heard \(stranger.count)x from \(stranger.address)")
        }
        let good = rows.count { $0.verdict == .heard }
        let listens = rows.filter { $0.verdict == .listens }.map { " \($0.entry.name) listens and wasn't verified." }
        let count = rows.count - listens.count
        return lines + ["", "\(good) of \(count) are on the air as they should be." + listens.joined()]
    }

    private func text(_ row: AirVerification.Row) -> String {
        switch row.verdict {
        case .heard: "ok, \(row.entry.configuration.measuredPower) dBm"
        case .listens: "listens, and doesn't hear itself: verify it with another"
        case .notHeard: "NOT HEARD"
        case .wrongMeasuredPower(let found):
            "WRONG MEASURED POWER: \(found) dBm, should be \(row.entry.configuration.measuredPower) dBm"
        case .heardFrom(let addresses):
            "ON THE AIR \(addresses.count) TIMES: from " + addresses.map(\.description).joined(separator: ", ")
        case .onlyFromOthers(let addresses):
            "FROM ANOTHER DEVICE: " + addresses.map(\.description).joined(separator: ", ")
        case .advertisesSomethingElse:
            "ADVERTISES SOMETHING ELSE: " + (row.advertised.map { "\($0)" } ?? "unknown")
        }
    }
}
