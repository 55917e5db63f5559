import Advertisement
import BeaconModel
import Testing

@Suite("IBeacon")
struct IBeaconTests {
    @Test("The reference's 30 bytes are decoded")
    func referenceDecoded() {
        #expect(decode(Payload.reference) == .init(identity: .referenceBeacon))
    }

    @Test("The reference's 30 bytes are encoded")
    func referenceEncoded() {
        #expect(IBeacon.advertisingData(Payload.beacon, measuredPower: -59) == Payload.reference)
    }

    @Test("What is encoded is decoded", arguments: [Int8.min, -59, -1, 0, 20, Int8.max])
    func roundTrip(measuredPower: Int8) {
        let beacon = BeaconID(uuid: ProximityUUID(bits: .max - 1), major: 0xFFFE, minor: 0x0100)
        let data = IBeacon.advertisingData(beacon, measuredPower: measuredPower)
        #expect(data.count == 30)
        #expect(decode(data) == .init(identity: .iBeacon(beacon, measuredPower: measuredPower)))
    }

    @Test("Major and minor are big-endian")
    func byteOrder() {
        var data = Payload.reference
        data.replaceSubrange(25..<29, with: [0x12, 0x34, 0x56, 0x78])
        let beacon = BeaconID(uuid: Payload.uuid, major: 0x1234, minor: 0x5678)
        #expect(decode(data).identity == .iBeacon(beacon, measuredPower: -59))
    }

    @Test("Flags may have any value", arguments: [UInt8(0x00), 0x02, 0x06, 0x1A, 0xFF])
    func anyFlags(value: UInt8) {
        #expect(decode(Payload.flags(value) + Payload.iBeacon) == .init(identity: .referenceBeacon))
    }

    @Test("Flags may be absent")
    func noFlags() {
        #expect(decode(Payload.iBeacon) == .init(identity: .referenceBeacon))
    }

    @Test(
        "One whose structure is longer than the format's is counted, and is none", arguments: [1, 2, 5])
    func longerStructure(excess: Int) {
        let data = Payload.structure(0xFF, Payload.iBeaconValue + [UInt8](repeating: 0, count: excess))
        #expect(decode(data) == .init(defect: .overLongIBeacon))
    }

    @Test(
        "Another company, type or length is no iBeacon",
        arguments: [(0, UInt8(0x4D)), (1, 0x01), (2, 0x03), (2, 0x10), (3, 0x14), (3, 0x16), (3, 0x00)])
    func otherPrefix(position: Int, byte: UInt8) {
        var value = Payload.iBeaconValue
        value[position] = byte
        let identity = decode(Payload.structure(0xFF, value)).identity
        if case .iBeacon? = identity { Issue.record("\(value) is an iBeacon") }
    }

    @Test("Apple's type 0x02 with another length is an Apple device", arguments: [UInt8(0x00), 0x14, 0x16])
    func otherLength(length: UInt8) {
        var value = Payload.iBeaconValue
        value[3] = length
        #expect(decode(Payload.structure(0xFF, value)) == .init(identity: .appleDevice(type: 0x02)))
    }

    @Test("The bytes of an iBeacon under another AD type are none", arguments: [UInt8(0x09), 0x16, 0x21, 0xFE])
    func otherADType(type: UInt8) {
        #expect(decode(Payload.structure(type, Payload.iBeaconValue)) == .init())
    }

    @Test("An iBeacon too short for its fields is counted", arguments: 4..<25)
    func truncated(length: Int) {
        let data = Payload.flags(0x06) + Payload.structure(0xFF, Array(Payload.iBeaconValue.prefix(length)))
        #expect(decode(data) == .init(defect: .truncatedIBeacon))
    }

    @Test("Manufacturer data too short for the prefix are no iBeacon")
    func shorterThanPrefix() {
        func decoded(_ length: Int) -> AdvertisingData.Decoded {
            decode(Payload.structure(0xFF, Array(Payload.iBeaconValue.prefix(length))))
        }
        #expect(decoded(0) == .init(defect: .truncatedManufacturerData))
        #expect(decoded(1) == .init(defect: .truncatedManufacturerData))
        #expect(decoded(2) == .init(company: .apple))
        #expect(decoded(3) == .init(identity: .appleDevice(type: 0x02)))
    }

    @Test("A whole iBeacon after a truncated one is read, and the defect is kept")
    func truncatedThenWhole() {
        let data = Payload.structure(0xFF, Array(Payload.iBeaconValue.prefix(10))) + Payload.iBeacon
        #expect(decode(data) == .init(identity: .referenceBeacon, defect: .truncatedIBeacon))
    }
}
