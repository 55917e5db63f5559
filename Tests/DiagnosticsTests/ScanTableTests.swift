import BeaconModel
import Testing

@testable import Diagnostics
@testable import GatewayCoreTests

@Suite struct ScanTableTests {
    private let start = Timestamp(microseconds: 1_605_441_600_000_000)

    private func report(after delay: Duration, rssi: Int8) -> AdvertisingReport {
        AdvertisingReport(
            time: start + delay, adapter: Adapter(index: 0), address: BluetoothAddress(bits: 1), addressKind: .random,
            rssi: RSSI(dBm: rssi), isConnectable: false, isScanResponse: false)
    }

    @Test("The table has a line a beacon: RSSI, distance with bounds, proximity, rate and age")
    func table() {
        var table = ScanTable(silence: .seconds(60))
        for index in 0..<10 {
            table.add(report(after: .milliseconds(100 * index), rssi: -59), .iBeacon(Capture.badge, measuredPower: -59))
        }
        table.add(report(after: .seconds(1), rssi: -59), nil)
        let lines = table.lines(now: start + .seconds(2), limit: 10, width: 200)
        #expect(lines.count == 4)
        #expect(
            lines[0]
                == "BEACON                                          RSSI  DISTANCE  90 % BETWEEN  PROXIMITY  PER S  AGE"
        )
        #expect(lines[1].contains("-59 dBm"))
        #expect(lines[1].contains(" near "))
        #expect(lines[1].hasSuffix(" 10.0  1 s"), "\(lines[1])")
        #expect(lines[3].hasPrefix("11 reports, 1 of unknown kinds"))
    }

    @Test("Whoever is recognised and not followed is counted by kind")
    func notFollowed() {
        var table = ScanTable(silence: .seconds(60))
        for _ in 0..<3 { table.add(report(after: .zero, rssi: -59), .appleDevice(type: 0x10)) }
        table.add(report(after: .zero, rssi: -59), .eddystoneTLM(.encrypted))
        let lines = table.lines(now: start, limit: 10, width: 200)
        #expect(
            lines.suffix(2) == [
                "recognised, but not tracked: 1 Eddystone-TLM, 3 Apple device",
                "4 reports, 0 of unknown kinds (shown with --all in a pipe)",
            ])
    }

    @Test("Rates are those since the last drawing")
    func rates() {
        var table = ScanTable(silence: .seconds(60))
        table.add(report(after: .zero, rssi: -59), .iBeacon(Capture.badge, measuredPower: -59))
        _ = table.lines(now: start + .seconds(1), limit: 10, width: 200)
        for index in 0..<20 {
            table.add(
                report(after: .milliseconds(1000 + 50 * index), rssi: -59), .iBeacon(Capture.badge, measuredPower: -59))
        }
        #expect(table.lines(now: start + .seconds(2), limit: 10, width: 200)[1].contains(" 20.0 "))
    }

    @Test("Whoever has been silent for a minute is not shown any more")
    func gone() {
        var table = ScanTable(silence: .seconds(60))
        table.add(report(after: .zero, rssi: -59), .iBeacon(Capture.badge, measuredPower: -59))
        table.advance(to: start + .seconds(61))
        #expect(table.lines(now: start + .seconds(61), limit: 10, width: 200).count == 3)
    }

    @Test("More beacons than there is room for are counted")
    func room() {
        var table = ScanTable(silence: .seconds(60))
        for minor in 0..<5 {
            let beacon = BeaconID(uuid: Capture.badge.uuid, major: 1, minor: UInt16(minor))
            table.add(report(after: .zero, rssi: -59), .iBeacon(beacon, measuredPower: -59))
        }
        let lines = table.lines(now: start + .seconds(1), limit: 2, width: 200)
        #expect(lines.count == 1 + 2 + 1 + 2)
        #expect(lines[3] == "and 3 more")
    }

    @Test("In 80 columns every column is there")
    func narrow() {
        var table = ScanTable(silence: .seconds(60))
        let beacon = BeaconID(uuid: Capture.badge.uuid, major: 65535, minor: 65535)
        for index in 0..<30 {
            table.add(report(after: .milliseconds(index * 10), rssi: -105), .iBeacon(beacon, measuredPower: -59))
        }
        let lines = table.lines(now: start + .seconds(59), limit: 10, width: 80)
        #expect(lines[1].hasPrefix("e2c5../65535/65535"))
        #expect(lines.allSatisfy { $0.count < 80 }, "\(lines)")
    }
}
