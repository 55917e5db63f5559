import BeaconModel
import HCI
import TestValues
import Testing

@Suite("AdvertisingEvent")
struct AdvertisingEventTests {
    private typealias Packet = EventPacket

    // MARK: - LE Advertising Report

    @Test("A legacy report is read with all its fields")
    func legacy() {
        let heard = Heard(Packet.legacy(Packet.legacyReport()))
        #expect(
            heard.reports == [
                AdvertisingReport(
                    time: Heard.time, adapter: Heard.adapter, address: BluetoothAddress(bits: 0xC011_2233_4401),
                    addressKind: .random, rssi: RSSI(dBm: -60), isConnectable: true, isScanResponse: false)
            ])
        #expect(heard.data == [Packet.data])
        #expect(heard.defects.isEmpty)
    }

    @Test("Several legacy reports of one event are read in their order, each with its data and strength")
    func severalLegacy() {
        let heard = Heard(
            Packet.legacy(
                Packet.legacyReport(data: [0x01], rssi: 0xC4), Packet.legacyReport(data: [], rssi: 0xC3),
                Packet.legacyReport(data: [UInt8](repeating: 0x02, count: 31), rssi: 0xC2)))
        #expect(heard.reports.map(\.rssi?.dBm) == [-60, -61, -62])
        #expect(heard.data == [[0x01], [], [UInt8](repeating: 0x02, count: 31)])
        #expect(heard.defects.isEmpty)
    }

    @Test("A legacy strength of 127 is none")
    func legacyWithoutRSSI() throws {
        let heard = Heard(Packet.legacy(Packet.legacyReport(rssi: 0x7F)))
        #expect(try #require(heard.reports.first).rssi == nil)
    }

    @Test(
        "The legacy event type says whether it is connectable and whether it is a scan response",
        arguments: [
            (UInt8(0x00), true, false), (0x01, true, false), (0x02, false, false), (0x03, false, false),
            (0x04, false, true),
        ])
    func legacyEventType(type: UInt8, isConnectable: Bool, isScanResponse: Bool) throws {
        let report = try #require(Heard(Packet.legacy(Packet.legacyReport(type: type))).reports.first)
        #expect(report.isConnectable == isConnectable)
        #expect(report.isScanResponse == isScanResponse)
        #expect(report.dataStatus == .complete)
        #expect(report.advertisingSet == nil)
    }

    @Test(
        "Address types are told apart",
        arguments: [
            (UInt8(0x00), AdvertisingReport.AddressKind.public), (0x01, .random), (0x02, .public), (0x03, .random),
            (0xFE, .random), (0xFF, .anonymous),
        ])
    func addressTypes(type: UInt8, kind: AdvertisingReport.AddressKind) {
        let heard = Heard(
            Packet.legacy(Packet.legacyReport(addressType: type)),
            Packet.extended(Packet.extendedReport(addressType: type)))
        #expect(heard.reports.map(\.addressKind) == [kind, kind])
    }

    // MARK: - LE Extended Advertising Report

    @Test("A legacy PDU in an extended report is read with all its fields")
    func extendedLegacyPDU() {
        let heard = Heard(Packet.extended(Packet.extendedReport(type: 0x0013)))
        #expect(
            heard.reports == [
                AdvertisingReport(
                    time: Heard.time, adapter: Heard.adapter, address: BluetoothAddress(bits: 0xC011_2233_4401),
                    addressKind: .random, rssi: RSSI(dBm: -60), isConnectable: true, isScanResponse: false)
            ])
        #expect(heard.data == [Packet.data])
        #expect(heard.defects.isEmpty)
    }

    @Test("An extended PDU of 200 bytes is read whole")
    func extendedPDU() {
        let data = (0..<200).map { UInt8($0) }
        let heard = Heard(Packet.extended(Packet.extendedReport(data: data)))
        #expect(heard.data == [data])
        #expect(heard.reports.map(\.dataStatus) == [.complete])
        #expect(heard.defects.isEmpty)
    }

    @Test("229 bytes, the most that an extended report holds, are read whole")
    func longestExtendedPDU() {
        let data = [UInt8](repeating: 0x5A, count: 229)
        #expect(Heard(Packet.extended(Packet.extendedReport(data: data))).data == [data])
    }

    @Test("Several extended reports of one event are read in their order")
    func severalExtended() {
        let heard = Heard(
            Packet.extended(
                Packet.extendedReport(data: [0x01], rssi: 0xC4), Packet.extendedReport(data: [], rssi: 0xC3),
                Packet.extendedReport(data: [0x02, 0x03], rssi: 0xC2)))
        #expect(heard.reports.map(\.rssi?.dBm) == [-60, -61, -62])
        #expect(heard.data == [[0x01], [], [0x02, 0x03]])
    }

    @Test(
        "A fragment that is continued, and one that was cut off, are told from complete data",
        arguments: [
            (UInt16(0x0000), AdvertisingReport.DataStatus.complete), (0x0020, .moreToCome), (0x0040, .truncated),
            (0x0060, .truncated), (0x0021, .moreToCome), (0x0013, .complete),
        ])
    func fragments(type: UInt16, status: AdvertisingReport.DataStatus) throws {
        let report = try #require(Heard(Packet.extended(Packet.extendedReport(type: type))).reports.first)
        #expect(report.dataStatus == status)
    }

    @Test(
        "The advertising set is 0 to 15; anything else is none",
        arguments: [(UInt8(0), UInt8?(0)), (15, 15), (0xFF, nil)])
    func advertisingSet(byte: UInt8, set: UInt8?) throws {
        let report = try #require(Heard(Packet.extended(Packet.extendedReport(set: byte))).reports.first)
        #expect(report.advertisingSet == set)
    }

    @Test(
        "The extended event type says whether it is connectable and whether it is a scan response",
        arguments: [
            (UInt16(0x0013), true, false), (0x0015, true, false), (0x0012, false, false), (0x0010, false, false),
            (0x001B, true, true), (0x001A, false, true), (0x0001, true, false), (0x0008, false, true),
        ])
    func extendedEventType(type: UInt16, isConnectable: Bool, isScanResponse: Bool) throws {
        let report = try #require(Heard(Packet.extended(Packet.extendedReport(type: type))).reports.first)
        #expect(report.isConnectable == isConnectable)
        #expect(report.isScanResponse == isScanResponse)
    }

    @Test("An anonymous advertisement is read, without an address that means anything")
    func anonymous() {
        let heard = Heard(
            Packet.extended(Packet.extendedReport(addressType: 0xFF, address: [0, 0, 0, 0, 0, 0])))
        #expect(heard.reports.map(\.addressKind) == [.anonymous])
        #expect(heard.reports.map(\.address) == [BluetoothAddress(bits: 0)])
        #expect(heard.data == [Packet.data])
    }

    @Test("An extended strength of 127 is none")
    func extendedWithoutRSSI() throws {
        let heard = Heard(Packet.extended(Packet.extendedReport(rssi: 0x7F)))
        #expect(try #require(heard.reports.first).rssi == nil)
    }

    // MARK: - Defects

    @Test("A packet shorter than its header says is counted and gives no report")
    func truncatedEvent() {
        let packet = Packet.legacy(Packet.legacyReport(), Packet.legacyReport())
        let heard = Heard(Array(packet.dropLast()))
        #expect(heard.reports.isEmpty)
        #expect(heard.defects == [.truncatedEvent: 1])
    }

    @Test("An LE event too short for its subevent or its number of reports is counted")
    func tooShort() {
        let packets: [[UInt8]] = [
            [0x04, 0x3E], [0x04, 0x3E, 0x00], [0x04, 0x3E, 0x01, 0x02], [0x04, 0x3E, 0x01, 0x0D],
        ]
        for packet in packets { #expect(Heard(packet).defects == [.truncatedEvent: 1]) }
    }

    @Test("A report that runs past the event is counted, and those before it are kept")
    func truncatedReport() {
        var legacy = Packet.legacy(Packet.legacyReport(rssi: 0xC4), Packet.legacyReport(rssi: 0xC3))
        // The length of the second report's data.
        legacy[5 + 13 + 8] += 1
        let heardLegacy = Heard(legacy)
        #expect(heardLegacy.reports.map(\.rssi?.dBm) == [-60])
        #expect(heardLegacy.defects == [.truncatedReport: 1])

        var extended = Packet.extended(Packet.extendedReport(rssi: 0xC4), Packet.extendedReport(rssi: 0xC3))
        extended[5 + 27 + 23] += 1
        let heardExtended = Heard(extended)
        #expect(heardExtended.reports.map(\.rssi?.dBm) == [-60])
        #expect(heardExtended.defects == [.truncatedReport: 1])
    }

    @Test("An event that promises more reports than it has is counted, and those that it has are kept")
    func missingReports() {
        var packet = Packet.legacy(Packet.legacyReport())
        packet[4] = 255
        let heard = Heard(packet)
        #expect(heard.reports.count == 1)
        #expect(heard.defects == [.truncatedReport: 1])
    }

    @Test("An event of no reports is no defect")
    func noReports() {
        for packet in [Packet.legacy(), Packet.extended()] {
            #expect(Heard(packet).reports.isEmpty)
            #expect(Heard(packet).defects.isEmpty)
        }
    }

    @Test("Bytes after the event do no harm")
    func trailingBytes() {
        let heard = Heard(Packet.legacy(Packet.legacyReport()) + [0xFF, 0xFF])
        #expect(heard.data == [Packet.data])
        #expect(heard.defects.isEmpty)
    }

    @Test(
        "Other packets and other events are passed over, however short",
        arguments: [
            [], [0x04], [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00], [0x02, 0x3E, 0x00, 0x01, 0x00, 0x00],
            EventPacket.event(0x0E, [0x01, 0x0C, 0x20, 0x00]), EventPacket.event(0x3E, [0x01, 0x00]),
            EventPacket.event(0x3E, [0x0B, 0x01]), [0x04, 0x0E, 0x04],
        ] as [[UInt8]])
    func otherEvents(packet: [UInt8]) {
        #expect(Heard(packet).reports.isEmpty)
        #expect(Heard(packet).defects.isEmpty)
    }

    // MARK: - Hostile input

    @Test("Every truncation of every good packet is counted or ignored, and gives no report")
    func truncations() {
        for packet in Packet.good {
            for length in 0..<packet.count {
                let heard = Heard(Array(packet.prefix(length)))
                #expect(heard.reports.isEmpty)
                #expect(heard.defects == (length < 2 ? [:] : [.truncatedEvent: 1]))
            }
        }
    }

    @Test("Every truncation of the reports, with a header that fits, keeps the whole reports before it")
    func shortenedEvents() {
        for packet in Packet.good where packet[4] > 0 {
            let whole = Heard(packet)
            for length in 5..<packet.count {
                var shortened = Array(packet.prefix(length))
                shortened[2] = UInt8(length - 3)
                let heard = Heard(shortened)
                #expect(heard.defects == [.truncatedReport: 1])
                #expect(heard.reports.count < whole.reports.count)
                #expect(heard.reports == Array(whole.reports.prefix(heard.reports.count)))
                #expect(heard.data == Array(whole.data.prefix(heard.data.count)))
            }
        }
    }

    @Test("Random packets never trap, and give no more reports than they promise")
    func randomPackets() {
        var generator = SeededGenerator("random HCI packets")
        for _ in 0..<50_000 {
            let length = Int.random(in: 0...60, using: &generator)
            var packet = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            // Most of them with a header that leads to the reports.
            if length > 5, generator.next() % 8 != 0 {
                let subevent: UInt8 = generator.next() % 2 == 0 ? 0x02 : 0x0D
                packet.replaceSubrange(0..<4, with: [0x04, 0x3E, UInt8(length - 3), subevent])
                if generator.next() % 2 == 0 { packet[4] %= 4 }
            }
            let heard = Heard(packet)
            let promised = packet.count > 4 ? Int(packet[4]) : 0
            let received = heard.data.reduce(0) { $0 + $1.count }
            if heard.reports.count > promised || received > packet.count
                || heard.defects.values.contains(where: { $0 > 1 })
            {
                Issue.record("\(packet) gave \(heard); \(generator.comment)")
                return
            }
        }
    }

    @Test("Mutations of good packets never trap")
    func mutatedPackets() {
        var generator = SeededGenerator("mutated HCI packets")
        var defects: Set<AdvertisingEvent.Defect> = []
        for _ in 0..<20_000 {
            var packet = Packet.good.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let position = Int.random(in: 0..<packet.count, using: &generator)
                packet[position] = UInt8(truncatingIfNeeded: generator.next())
            }
            let heard = Heard(packet)
            defects.formUnion(heard.defects.keys)
            if heard.reports.count != heard.data.count || heard.reports.count > 255 {
                Issue.record("\(packet) gave \(heard); \(generator.comment)")
                return
            }
        }
        #expect(defects == [.truncatedEvent, .truncatedReport], generator.comment)
    }
}
