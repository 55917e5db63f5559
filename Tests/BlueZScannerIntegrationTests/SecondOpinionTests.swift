import Advertisement
import BeaconModel
import Glibc
import TestSupport
import Testing

@testable import BlueZScanner
@testable import HCI
@testable import HCITests

/// What this package reads is what tshark reads, packet by packet.
@Suite("Second opinions", .enabled(if: Tshark.isThere, "tshark isn't installed"), .timeLimit(.minutes(10)))
struct SecondOpinionTests {
    @Test(
        "Every advertising packet of every real capture is to tshark what it is to us: time, addresses, RSSI, payload",
        .enabled(if: RealCapture.areThere, "\(RealCapture.directory) isn't there"))
    func realCaptures() async throws {
        let data = RealCapture.directory.split(separator: "/").dropLast(2).joined(separator: "/")
        let found = try await ChildProcess.run("find", ["-L", "/" + data, "-name", "*.btsnoop"])
        #expect(found.output.count >= RealCapture.all.count)
        var iBeacons = 0
        var exposureNotifications = 0
        for path in found.output {
            let (ours, theirs) = (try packets(in: path), try await Tshark.advertisements(in: path))
            #expect(ours.count == theirs.count, "\(path)")
            let difference = zip(ours, theirs).first { $0 != $1 }
            #expect(difference == nil, "\(path): ours first, then tshark's")
            iBeacons += theirs.reduce(0) { $0 + $1.iBeacons.count }
            exposureNotifications += theirs.reduce(0) { $0 + $1.exposureNotifications.count }
        }
        // An agreement on nothing would be none.
        #expect(iBeacons >= 7)
        #expect(exposureNotifications >= 437)
    }

    @Test("A capture that we write is to tshark what it is to us, with several reports in a packet and two adapters")
    func writtenCapture() async throws {
        let directory = try TemporaryDirectory()
        let path = try ExampleCapture.write(in: directory)
        let ours = try packets(in: path)
        #expect(ours == (try await Tshark.advertisements(in: path)))
        #expect(ours.count == ExampleCapture.packets.count)
        #expect(ours.flatMap(\.iBeacons).count == 4)
        #expect(ours.flatMap(\.exposureNotifications).count == 2)
    }

    @Test("tshark knows the adapters of a capture that we write by their names")
    func adapterNames() async throws {
        let directory = try TemporaryDirectory()
        let path = try ExampleCapture.write(in: directory)
        let fields = ["hci_mon.adapter_id", "hci_mon.adapter_name", "hci_mon.opcode"].flatMap { ["-e", $0] }
        let result = try await ChildProcess.run("tshark", ["-n", "-r", path, "-T", "fields"] + fields)
        #expect(result.output.prefix(4) == ["0\thci0\t0", "0\t\t3", "1\thci1\t0", "1\t\t3"])
    }

    @Test(
        "btmon shows every report of a capture that we write, with adapter, time, address and RSSI",
        .enabled(if: ChildProcess.find("btmon").contains("/"), "btmon isn't installed"))
    func btmon() async throws {
        let directory = try TemporaryDirectory()
        let path = try ExampleCapture.write(in: directory)
        let result = try await ChildProcess.run("env", ["TZ=UTC", "btmon", "-T", "-r", path])
        let lines = result.output
        #expect(lines.contains { $0.hasPrefix("= New Index: ") && $0.contains("hci1)") }, "\(lines)")
        let times = lines.filter { $0.hasPrefix("> HCI Event: LE Meta") }.map { $0.suffix(33) }
        #expect(
            times == [
                "[hci0] 2020-09-13 12:26:40.000000", "[hci1] 2020-09-13 12:26:40.000001",
                "[hci0] 2020-09-13 12:26:40.000002", "[hci1] 2020-09-13 12:26:40.000003",
                "[hci0] 2020-09-13 12:26:40.000004",
            ])
        #expect(lines.filter { $0.contains("RSSI: -") }.count == 6)
        #expect(lines.filter { $0.contains("RSSI: not available") }.count == 1)
        #expect(lines.filter { $0.contains("Address: C0:11:22:33:44:01") }.count == 7)
    }

    /// What this package finds in each packet with advertising reports.
    private func packets(in path: String) throws -> [AdvertisingPacket] {
        var file = try BTSnoopFile(path: path)
        var packets: [AdvertisingPacket] = []
        while let batch = try file.next(limit: 1) {
            var packet: AdvertisingPacket?
            let defects = batch.forEachReport { report, data in
                var known = packet ?? AdvertisingPacket(time: "\(report.time.microseconds)")
                known.add(report, data.withUnsafeBufferPointer { Array($0) })
                packet = known
            }
            #expect(defects.isEmpty)
            if let packet { packets.append(packet) }
        }
        return packets
    }
}

/// A capture with several adapters, reports and kinds.
private enum ExampleCapture {
    private static let id = BeaconID(
        uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 7, minor: 9)
    private static let beacon = IBeacon.advertisingData(id, measuredPower: -59)
    private static let phone: [UInt8] = [0x03, 0x03, 0x6F, 0xFD, 0x17, 0x16, 0x6F, 0xFD] + Array(1...20)

    static let packets: [[UInt8]] = [
        EventPacket.legacy(EventPacket.legacyReport(data: beacon)),
        EventPacket.legacy(
            EventPacket.legacyReport(data: beacon, rssi: 0x90), EventPacket.legacyReport(type: 3, data: phone)),
        EventPacket.extended(EventPacket.extendedReport(data: beacon)),
        EventPacket.extended(
            EventPacket.extendedReport(type: 0x13, data: phone), EventPacket.extendedReport(data: beacon, rssi: 0xB0)),
        EventPacket.extended(EventPacket.extendedReport(type: 0x13, data: [], rssi: 0x7F)),
    ]

    /// Packet n comes n microseconds after 2020-09-13T12:26:40Z, from hci0 and hci1 in turn.
    static func write(in directory: TemporaryDirectory) throws -> String {
        let path = directory.path + "/example.btsnoop"
        var writer = try BTSnoopWriter(creating: path)
        for (index, packet) in packets.enumerated() {
            writer.append(
                packet.span, time: Timestamp(microseconds: 1_600_000_000_000_000 + Int64(index)),
                adapter: Adapter(index: UInt16(index % 2)))
        }
        try writer.flush()
        return path
    }
}

extension AdvertisingPacket {
    fileprivate mutating func add(_ report: AdvertisingReport, _ data: [UInt8]) {
        addresses.append(report.address.description.lowercased())
        rssi.append(report.rssi.map { "\($0.dBm)" } ?? "127")
        var structures: [ArraySlice<UInt8>] = []
        var rest = data[...]
        while let length = rest.first.map(Int.init), length > 0, length < rest.count {
            structures.append(rest.dropFirst().prefix(length))
            types.append("0x" + hexadecimal(structures.last?.prefix(1) ?? []))
            lengths.append("\(length)")
            rest = rest.dropFirst(1 + length)
        }
        switch AdvertisingData.decode(data.span).identity {
        case .iBeacon(let id, let power):
            let numbers = [id.major, id.minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            iBeacons.append(
                "0215" + id.uuid.description.lowercased().filter { $0 != "-" }
                    + hexadecimal(numbers + [UInt8(bitPattern: power)]))
        case .exposureNotification:
            let service = structures.first { $0.starts(with: [0x16, 0x6F, 0xFD]) } ?? []
            exposureNotifications.append(hexadecimal(service.dropFirst(3)))
        default: break
        }
    }

    private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
