import BeaconModel
import Proximity
import Testing

@testable import Diagnostics
@testable import GatewayCoreTests
@testable import OperatorText

@Suite struct CalibrationReportTests {
    private let adapter = BluetoothAddress(bits: 0x001A_7DDA_7113)

    private func outcome(_ points: [(distance: Double, mean: Double)]) -> CalibrationOutcome {
        CalibrationOutcome(
            beacon: Capture.badge, says: -59,
            points: points.map { distance, mean in
                .init(
                    distance: distance,
                    summary: .init(
                        mean: mean, spread: 2.14, packets: 200, seconds: 20, standardError: 0.34,
                        elapsed: .milliseconds(20_100)))
            }, measuredAt: CalibrationAir.start)
    }

    @Test("The measured power is the mean at 1 m, to a tenth")
    func beacon() throws {
        let report = try CalibrationReport(
            beacon: outcome([(1, -63.24)]), table: Calibration(), receiver: nil)
        #expect(
            report.beaconRow
                == BeaconCalibration(
                    measuredPower: -63.2, deviation: 2.1, samples: 200, measuredAt: CalibrationAir.start))
        // 10^(4.2 / 21) = 1.58.
        #expect(
            report.lines == [
                "beacon     \(Capture.badge), which advertises -59 dBm at 1 m",
                "at 1 m     -63.2 dBm, spread 2.1 dB, 200 packets in 20.1 s, standard error 0.3 dB",
                "result     -59.0 -> -63.2 dBm at 1 m: distances of this beacon so far were 1.6 times too long",
            ])
    }

    @Test("Another distance is converted with the exponent of free space")
    func otherDistance() throws {
        // At 2 m 20 log10(2) = 6.02 dB less than at 1 m.
        let row = try CalibrationReport(
            beacon: outcome([(2, -65.02)]), table: Calibration(), receiver: nil
        ).beaconRow
        #expect(row?.measuredPower == -59)
    }

    @Test("What the receiver reads too much is taken off")
    func offset() throws {
        let table = Calibration(receivers: [adapter: ReceiverCalibration(offset: 4)])
        let report = try CalibrationReport(beacon: outcome([(1, -55)]), table: table, receiver: adapter)
        #expect(report.beaconRow?.measuredPower == -59)
        #expect(report.lines.contains("receiver   00:1A:7D:DA:71:13 reads +4.0 dB, which were subtracted"))
        #expect(report.lines.last?.hasSuffix("distances of this beacon so far were accurate to 5 %") == true)
    }

    @Test("Two distances give the exponent")
    func exponent() throws {
        let report = try CalibrationReport(
            beacon: outcome([(1, -60), (3, -69.54)]), table: Calibration(), receiver: nil)
        #expect(report.beaconRow?.exponent == 2)
        #expect(report.beaconRow?.samples == 400)
        #expect(report.lines.contains("exponent   2.00"))
    }

    @Test("A beacon that is stronger farther away is refused")
    func stronger() throws {
        do throws(CalibrationError) {
            _ = try CalibrationReport(beacon: outcome([(1, -70), (3, -60)]), table: Calibration(), receiver: nil)
            Issue.record("no error")
        } catch {
            #expect(error == .strongerFarAway(near: -70, nearDistance: 1, far: -60, farDistance: 3))
            #expect(error.what == "the beacon is stronger at 3 m (-60.0 dBm) than at 1 m (-70.0 dBm)")
        }
    }

    @Test("A receiver's offset is what it reads more than the beacon says, or than the table says")
    func receiver() throws {
        let says = try CalibrationReport(receiver: adapter, outcome: outcome([(1, -55.5)]), table: Calibration())
        #expect(says.receiverRow == ReceiverCalibration(offset: 3.5, measuredAt: CalibrationAir.start))
        // 10^(3.5 / 21) = 1.47.
        #expect(
            says.lines.suffix(2) == [
                "reference  -59.0 dBm at 1 m, according to the beacon",
                "result     offset of 00:1A:7D:DA:71:13 0.0 -> +3.5 dB: distances by this receiver so far were "
                    + "1.5 times too short",
            ])
        let table = Calibration(
            beacons: [Capture.badge: BeaconCalibration(measuredPower: -52.5, deviation: 1, samples: 100)])
        let known = try CalibrationReport(receiver: adapter, outcome: outcome([(1, -55.5)]), table: table)
        #expect(known.receiverRow?.offset == -3)
        #expect(known.lines.contains("reference  -52.5 dBm at 1 m, according to the table"))
    }

    @Test("An offset that no receiver has is refused")
    func outOfRange() throws {
        do throws(CalibrationError) {
            _ = try CalibrationReport(receiver: adapter, outcome: outcome([(1, -90)]), table: Calibration())
            Issue.record("no error")
        } catch {
            #expect(error == .outOfRange("offset in dB", -31, allowed: "from -30 to 30"))
        }
    }

    @Test("The hint is a command that can be run as it is, but for the port")
    func hint() throws {
        let outcome = outcome([(1, -62.4)])
        let report = try CalibrationReport(beacon: outcome, table: Calibration(), receiver: nil)
        let lines = report.closing(outcome, path: "c.toml", table: Calibration(receivers: [:]))
        #expect(lines.first == "written    c.toml: 0 beacons, 0 receivers")
        #expect(
            lines.last?.hasSuffix(
                "provision --port PORT --uuid \(Capture.badge.uuid) --major 7 --minor 2603 --measured-power -62")
                == true)
    }

    @Test(
        "Distances are read with or without their unit",
        arguments: [("1m", 1.0), ("1.5", 1.5), ("0.5m", 0.5), ("3m", 3)])
    func metres(text: String, metres: Double) { #expect(Metres.parse(text, in: 0.5...3) == metres) }

    @Test(
        "Anything else is no distance", arguments: ["", "m", "0.4m", "4m", "-1m", "1 m", "1e0", "1..5", "nan", "1ft"])
    func noMetres(text: String) { #expect(Metres.parse(text, in: 0.5...3) == nil) }

    @Test("They are written shortly", arguments: [(1.0, "1 m"), (1.5, "1.5 m"), (0.75, "0.75 m"), (10, "10 m")])
    func metresText(metres: Double, text: String) { #expect(Metres.text(metres) == text) }
}
