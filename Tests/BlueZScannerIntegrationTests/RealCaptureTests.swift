import Advertisement
import BeaconModel
import BlueZScanner
import Glibc
import HCI
import Testing

/// Recordings of Android phones in EPFL's anechoic chamber (DP-3T bt-measurements, experiment 25).
@Suite("Real captures", .enabled(if: RealCapture.areThere, "\(RealCapture.directory) isn't there"))
struct RealCaptureTests {
    @Test("A real capture is decoded without an error into what tshark finds in it", arguments: RealCapture.all)
    func figures(capture: RealCapture) throws {
        let found = try RealCapture.Figures(of: capture)
        print("\(capture.name): \(found)")
        #expect(found == capture.figures)
    }

    @Test("The adverts with an iBeacon come from one beacon, whose power is -58 dBm at 1 m")
    func beacon() throws {
        // tshark -r 18.btsnoop -Y 'frame contains 1a:ff:4c:00:02:15' -T fields -e bthci_evt.bd_addr -e bthci_evt.rssi
        let beacon = BeaconID(
            uuid: ProximityUUID(bits: 0x9653_0D4D_09AF_4159_B99E_951A_5E82_6584), major: 1000, minor: 5)
        let capture = try #require(RealCapture.all.first { $0.name == "18.btsnoop" })
        let sightings = try capture.sightings().filter { $0.subject == .beacon(beacon) }
        #expect(sightings.map(\.rssi?.dBm) == [-94, -96, -97, -96, -97, -98, -97])
        #expect(Set(sightings.map(\.address)) == [BluetoothAddress(bits: 0xC49E_4100_00BB)])
        #expect(Set(sightings.map(\.identity)) == [.iBeacon(beacon, measuredPower: -58)])
        #expect(sightings.first?.time == Timestamp(microseconds: 1_591_810_936_829_943))
    }

    @Test("None of the phones that were heard is the recording phone itself", arguments: RealCapture.all)
    func phones(capture: RealCapture) throws {
        // FILE.ephids has what the recording phone advertised: identifier and metadata, as bytes separated by colons.
        let path = RealCapture.directory + "/" + capture.name.replacing(".btsnoop", with: ".ephids")
        let own = try Set(
            lines(of: path).map { line in
                RollingProximityIdentifier(
                    bits: line.split(separator: ":").prefix(16).reduce(0) { $0 << 8 | (UInt128($1, radix: 16) ?? 0) })
            })
        let heard = try capture.sightings().compactMap { sighting in
            if case .exposureNotification(let identifier, _) = sighting.identity { identifier } else { nil }
        }
        #expect(own.count >= 5)
        #expect(Set(heard).isDisjoint(with: own))
        #expect(Set(heard).count == capture.phones)
    }

    private func lines(of path: String) throws -> [String] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var text: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { text.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

/// A recording and what is known of it from other programs.
struct RealCapture: Sendable, CustomTestStringConvertible {
    var name: String
    var figures: Figures
    /// Different rolling identifiers (Python script).
    var phones: Int

    var testDescription: String { name }

    struct Figures: Equatable, Sendable {
        var packets = 0
        var reports = 0
        var exposureNotifications = 0
        var iBeacons = 0
        var defects = 0
        var firstReport = Timestamp.epoch
        var lastReport = Timestamp.epoch
    }

    // From tshark 4.0.17, `tshark -r FILE -Y FILTER | wc -l`, where ADV is
    // `bthci_evt.le_meta_subevent in {0x02, 0x0d}`; an independent Python script gives the same.
    //
    //     packets                  no filter (commands and other events count)
    //     reports                  ADV; `-T fields -e bthci_evt.le_num_reports` is 1 for all of them
    //     exposureNotifications    ADV && btcommon.eir_ad.entry.type == 0x16
    //                                  && btcommon.eir_ad.entry.uuid_16 == 0xfd6f && btcommon.eir_ad.entry.length == 23
    //                              (without ADV 6 more in 02 and 5 more in 08: commands, by which the recording phone
    //                              advertised itself)
    //     iBeacons                 ADV && frame contains 1a:ff:4c:00:02:15
    //     defects                  ADV && _ws.malformed
    //     firstReport, lastReport  ADV, `-T fields -e frame.time_epoch`
    static let all = [
        RealCapture(
            name: "02.btsnoop",
            figures: Figures(
                packets: 4443, reports: 488, exposureNotifications: 197, iBeacons: 0, defects: 0,
                firstReport: Timestamp(microseconds: 1_591_785_365_611_859),
                lastReport: Timestamp(microseconds: 1_591_795_453_333_606)),
            phones: 4),
        RealCapture(
            name: "08.btsnoop",
            figures: Figures(
                packets: 4459, reports: 75, exposureNotifications: 42, iBeacons: 0, defects: 0,
                firstReport: Timestamp(microseconds: 1_591_798_980_159_253),
                lastReport: Timestamp(microseconds: 1_591_806_806_547_513)),
            phones: 4),
        RealCapture(
            name: "18.btsnoop",
            figures: Figures(
                packets: 3075, reports: 258, exposureNotifications: 198, iBeacons: 7, defects: 0,
                firstReport: Timestamp(microseconds: 1_591_806_433_332_062),
                lastReport: Timestamp(microseconds: 1_591_810_942_094_560)),
            phones: 4),
    ]

    /// Below `BEACON_SHARED_DATA`, or else below `../shared/data` beside the repository.
    static let directory: String = {
        let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let data = getenv("BEACON_SHARED_DATA").map { String(cString: $0) } ?? "/\(repository)/../shared/data"
        return data + "/dp3t-bt-measurements/exp25-calibration-iphone-to-android-anechoic"
    }()

    static var areThere: Bool { all.allSatisfy { access("\(directory)/\($0.name)", R_OK) == 0 } }

    /// Calls `body` with everything in the recording.
    func forEachBatch(_ body: (HCIPacketBatch) -> Void) throws {
        var file = try BTSnoopFile(path: "\(Self.directory)/\(name)")
        while let batch = try file.next(limit: 100) { body(batch) }
    }

    func sightings() throws -> [Sighting] {
        var sightings: [Sighting] = []
        try forEachBatch { batch in
            _ = batch.forEachReport { report, data in
                guard let identity = AdvertisingData.decode(data).identity else { return }
                sightings.append(Sighting(report: report, identity: identity))
            }
        }
        return sightings
    }
}

extension RealCapture.Figures {
    init(of capture: RealCapture) throws {
        var figures = RealCapture.Figures()
        try capture.forEachBatch { batch in
            figures.packets += batch.count
            let broken = batch.forEachReport { report, data in
                if figures.reports == 0 { figures.firstReport = report.time }
                figures.lastReport = report.time
                figures.reports += 1
                let decoded = AdvertisingData.decode(data)
                if decoded.defect != nil { figures.defects += 1 }
                switch decoded.identity {
                case .iBeacon: figures.iBeacons += 1
                case .exposureNotification: figures.exposureNotifications += 1
                default: break
                }
            }
            figures.defects += broken.values.reduce(0, +)
        }
        self = figures
    }
}
