package import BeaconModel
import OperatorText
package import Proximity

/// Final report of a calibration, and the resulting changes to the table. Pure.
package struct CalibrationReport {
    package private(set) var lines: [String] = []
    package private(set) var beaconRow: BeaconCalibration?
    package private(set) var receiverRow: ReceiverCalibration?

    /// Reports the calibration of a beacon.
    ///
    /// - Parameters:
    ///   - table: table before the change.
    ///   - receiver: receiver that measured the beacon, if it is known.
    package init(
        beacon outcome: CalibrationOutcome, table: Calibration, receiver: BluetoothAddress?
    ) throws(CalibrationError) {
        let offset = receiver.flatMap { table.receivers[$0] }?.offset ?? 0
        let row = try outcome.beaconRow(offset: offset)
        beaconRow = row
        begin(outcome)
        if let exponent = row.exponent { lines.append("exponent   \(Format.fixed(exponent, 2))") }
        if let receiver, offset != 0 {
            lines.append("receiver   \(receiver) reads \(Self.signed(offset)) dB, which were subtracted")
        }
        let old = table.beacons[outcome.beacon]?.measuredPower ?? Double(outcome.says)
        lines.append(
            "result     \(Format.fixed(old, 1)) -> \(Format.fixed(row.measuredPower, 1)) dBm at 1 m: "
                + CalibrationMeaning.text(old: old, new: row.measuredPower, of: "of this beacon"))
    }

    /// Reports the calibration of the receiver that measured the beacon.
    package init(
        receiver address: BluetoothAddress, outcome: CalibrationOutcome, table: Calibration
    ) throws(CalibrationError) {
        let known = table.beacons[outcome.beacon]?.measuredPower
        let row = try outcome.receiverRow(known: known ?? Double(outcome.says))
        receiverRow = row
        begin(outcome)
        lines.append(
            "reference  \(Format.fixed(known ?? Double(outcome.says), 1)) dBm at 1 m, according to the "
                + (known == nil ? "beacon" : "table"))
        let old = table.receivers[address]?.offset ?? 0
        lines.append(
            "result     offset of \(address) \(Self.signed(old)) -> \(Self.signed(row.offset)) dB: "
                + CalibrationMeaning.text(old: old, new: row.offset, of: "by this receiver"))
    }

    private mutating func begin(_ outcome: CalibrationOutcome) {
        lines.append("beacon     \(outcome.beacon), which advertises \(outcome.says) dBm at 1 m")
        lines += outcome.points.map(\.line)
    }

    private static func signed(_ offset: Double) -> String {
        (offset > 0 ? "+" : "") + Format.fixed(offset, 1)
    }

    /// Returns the closing lines, after the table has been written.
    ///
    /// - Parameter table: table after the change.
    package func closing(_ outcome: CalibrationOutcome, path: String, table: Calibration) -> [String] {
        let beacons = table.beacons.count == 1 ? "1 beacon" : "\(table.beacons.count) beacons"
        let receivers = table.receivers.count == 1 ? "1 receiver" : "\(table.receivers.count) receivers"
        var lines = ["written    \(path): \(beacons), \(receivers)"]
        if let beaconRow {
            let beacon = outcome.beacon
            lines.append(
                "hint       to make one of our modules advertise this: beacon-gateway provision --port PORT --uuid "
                    + "\(beacon.uuid) --major \(beacon.major) --minor \(beacon.minor) --measured-power "
                    + "\(Format.fixed(beaconRow.measuredPower, 0))")
        }
        return lines
    }
}
