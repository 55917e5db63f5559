import Advertisement
import BeaconModel
import TestValues
import Testing

@testable import HCI

@Suite("DBusAdvertisement")
struct DBusAdvertisementTests {
    private let device = BluetoothAddress(bits: 0xC011_2233_4401)

    /// 02 15, UUID, major 7, minor 2603, measured power -59.
    private let beaconData: [UInt8] =
        [0x02, 0x15] + [UInt8](repeating: 0xB1, count: 16) + [0x00, 0x07, 0x0A, 0x2B, 0xC5]

    private func manufacturerData(_ count: Int) -> DBusAdvertisement {
        DBusAdvertisement(manufacturerData: [.init(company: 0x004C, data: [UInt8](repeating: 0x11, count: count))])
    }

    @Test("An iBeacon becomes the legacy advertising report that the controller gave")
    func iBeacon() {
        let advertisement = DBusAdvertisement(
            isPublic: false, rssi: -60, flags: [0x06], manufacturerData: [.init(company: 0x004C, data: beaconData)])
        let data = [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00] + beaconData
        #expect(advertisement.packet(from: device) == EventPacket.legacy(EventPacket.legacyReport(type: 3, data: data)))
        let heard = Heard(advertisement.packet(from: device))
        #expect(heard.reports.map(\.address) == [device])
        #expect(heard.reports.map(\.rssi?.dBm) == [-60])
    }

    @Test("An Exposure Notification is found in service data of a 16-bit UUID")
    func exposureNotification() throws {
        let service = try #require(ServiceUUID("0000fd6f-0000-1000-8000-00805f9b34fb"))
        let bytes = [UInt8](0..<20)
        let heard = Heard(DBusAdvertisement(serviceData: [.init(service: service, data: bytes)]).packet(from: device))
        #expect(heard.data == [[0x17, 0x16, 0x6F, 0xFD] + bytes])
        let decoded = heard.data.map { AdvertisingData.decode($0.span).identity }
        guard case .exposureNotification = try #require(decoded.first) else {
            Issue.record("\(decoded)")
            return
        }
    }

    @Test(
        "A UUID is as short as it can be, least significant byte first",
        arguments: [
            ("0000FEAA-0000-1000-8000-00805F9B34FB", [0xAA, 0xFE]),
            ("12345678-0000-1000-8000-00805f9b34fb", [0x78, 0x56, 0x34, 0x12]),
            (
                "00112233-4455-6677-8899-aabbccddeeff",
                [
                    0xFF, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x99, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00,
                ]
            ),
        ] as [(String, [UInt8])])
    func uuid(text: String, bytes: [UInt8]) {
        #expect(ServiceUUID(text)?.bytes == bytes)
    }

    @Test("Text that is no UUID gives none", arguments: ["", "feaa", "00112233445566778899aabbccddeeff", "x"])
    func noUUID(text: String) {
        #expect(ServiceUUID(text) == nil)
    }

    @Test("Services are listed by the length of their UUIDs, names and powers follow")
    func everything() throws {
        let short = try #require(ServiceUUID("0000feaa-0000-1000-8000-00805f9b34fb"))
        let middle = try #require(ServiceUUID("12345678-0000-1000-8000-00805f9b34fb"))
        let advertisement = DBusAdvertisement(txPower: -3, name: "Abc", services: [middle, short])
        #expect(
            advertisement.advertisingData(limit: 229) == [
                0x03, 0x03, 0xAA, 0xFE, 0x05, 0x05, 0x78, 0x56, 0x34, 0x12, 0x02, 0x0A, 0xFD, 0x04, 0x09, 0x41, 0x62,
                0x63,
            ])
    }

    @Test("31 bytes of data are a legacy report, 32 an extended one")
    func legacyOrExtended() {
        let legacy = manufacturerData(27).packet(from: device)
        let extended = manufacturerData(28).packet(from: device)
        #expect(legacy[3] == 0x02)
        #expect(extended[3] == 0x0D)
        #expect(Heard(legacy).data.map(\.count) == [31])
        #expect(Heard(extended).data.map(\.count) == [32])
        #expect(Heard(extended).reports.map(\.address) == [device])
        #expect(Heard(extended).reports.map(\.dataStatus) == [.complete])
    }

    @Test("Data that fills an event is kept, and what is longer is left out")
    func longest() {
        #expect(Heard(manufacturerData(225).packet(from: device)).data.map(\.count) == [229])
        #expect(Heard(manufacturerData(226).packet(from: device)).data.map(\.count) == [0])
    }

    @Test("A name that doesn't fit is shortened, and an iBeacon before it stays whole")
    func shortenedName() {
        var advertisement = DBusAdvertisement(name: String(repeating: "n", count: 248))
        advertisement.manufacturerData = [.init(company: 0x004C, data: beaconData)]
        let data = Heard(advertisement.packet(from: device)).data.first ?? []
        #expect(data.count == 229)
        #expect(data.prefix(4) == [0x1A, 0xFF, 0x4C, 0x00])
        #expect(data.dropFirst(27).prefix(3) == [201, 0x08, UInt8(ascii: "n")])
    }

    @Test("Flags that are all zero are none")
    func noFlags() {
        #expect(DBusAdvertisement(flags: [0x00]).advertisingData(limit: 229).isEmpty)
    }

    @Test("What isn't known is given as unknown")
    func unknown() {
        let report = Heard(DBusAdvertisement().packet(from: device)).reports.first
        #expect(report?.rssi == nil)
        #expect(report?.addressKind == .random)
        #expect(report?.isConnectable == false)
    }

    @Test("The address that bluetoothd tells goes before that in the device's path")
    func address() {
        let identity = BluetoothAddress(bits: 0x0000_5E00_5321)
        let report = Heard(DBusAdvertisement(address: identity, isPublic: true).packet(from: device)).reports.first
        #expect(report?.address == identity)
        #expect(report?.addressKind == .public)
    }

    @Test("A change replaces what it tells of and nothing else")
    func merge() {
        var advertisement = DBusAdvertisement(rssi: -60, name: "a", flags: [0x06])
        advertisement.merge(DBusAdvertisement(rssi: -70, txPower: 4))
        #expect(advertisement == DBusAdvertisement(rssi: -70, txPower: 4, name: "a", flags: [0x06]))
    }

    @Test("A withdrawn property is forgotten")
    func withdraw() {
        var advertisement = DBusAdvertisement(rssi: -60, name: "a", manufacturerData: [])
        for property in ["RSSI", "ManufacturerData", "Connected"] { advertisement.withdraw(property) }
        #expect(advertisement == DBusAdvertisement(name: "a"))
    }

    @Test("Signal strength and data are heard, names, services and addresses are not")
    func isHeard() {
        #expect(DBusAdvertisement(rssi: -60).isHeard)
        #expect(DBusAdvertisement(manufacturerData: []).isHeard)
        #expect(DBusAdvertisement(serviceData: []).isHeard)
        #expect(!DBusAdvertisement(address: device, isPublic: true, name: "a", services: []).isHeard)
    }

    /// What bluetoothd would have to answer for, and the device not.
    private static let malformations: Set<AdvertisingData.Defect> = [
        .truncatedStructure, .dataAfterEnd, .truncatedManufacturerData, .truncatedServiceData, .truncatedServiceList,
        .overLongName,
    ]

    @Test("Whatever the properties, the packet is one whole report that fits into an event")
    func anyProperties() {
        var random = SeededGenerator("DBusAdvertisementTests")
        for _ in 0..<3000 {
            let packet = randomAdvertisement(&random).packet(from: device)
            let heard = Heard(packet)
            #expect(packet.count <= 258, random.comment)
            #expect(heard.defects.isEmpty && heard.reports.count == 1, random.comment)
            for data in heard.data {
                let defect = AdvertisingData.decode(data.span).defect
                #expect(defect.map(Self.malformations.contains) != true, random.comment)
            }
        }
    }

    private func randomAdvertisement(_ random: inout SeededGenerator) -> DBusAdvertisement {
        func bytes(_ most: Int) -> [UInt8] {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let uuids = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
            let digits = String(UInt32.random(in: 0x1000_0000 ... .max, using: &random), radix: 16)
            return ServiceUUID(
                [
                    "\(digits)-0000-1000-8000-00805f9b34fb", "0000\(digits.prefix(4))-0000-1000-8000-00805f9b34fb",
                    "\(digits)-4455-6677-8899-aabbccddeeff",
                ][Int.random(in: 0...2, using: &random)])
        }
        return DBusAdvertisement(
            rssi: Int8.random(in: .min ... .max, using: &random), txPower: Bool.random(using: &random) ? 4 : nil,
            name: String(decoding: bytes(300), as: UTF8.self), flags: bytes(8), services: uuids,
            manufacturerData: (0..<Int.random(in: 0...4, using: &random)).map { _ in
                .init(company: UInt16.random(in: 0...UInt16.max, using: &random), data: bytes(260))
            },
            serviceData: uuids.prefix(3).map { .init(service: $0, data: bytes(100)) })
    }
}
