import Advertisement
import BeaconModel
import Testing

@Suite("AdvertisingData")
struct AdvertisingDataTests {
    @Test("Empty data is nobody and has no defect")
    func empty() {
        #expect(decode([]) == .init())
    }

    @Test("AD structures may come in any order", arguments: 0..<6)
    func order(permutation: Int) {
        var parts = [Payload.flags(0x06), Payload.name("badge"), Payload.iBeacon]
        let first = parts.remove(at: permutation / 2)
        let second = parts.remove(at: permutation % 2)
        #expect(decode(first + second + parts[0]) == .init(identity: .referenceBeacon))
    }

    @Test("A zero length ends the data; bytes other than zero after it are a defect and aren't read")
    func earlyTermination() {
        #expect(decode(Payload.flags(0x06) + [0x00] + Payload.iBeacon) == .init(defect: .dataAfterEnd))
        #expect(decode([0x00]) == .init())
    }

    @Test("Zeros that fill up the data after an identity are no defect")
    func padding() {
        let padding = [UInt8](repeating: 0, count: 8)
        #expect(decode(Payload.exposureNotification + padding) == .init(identity: .referencePhone))
        #expect(decode(Payload.reference + padding) == .init(identity: .referenceBeacon))
    }

    @Test("A structure with a type and no value is passed over")
    func emptyStructure() {
        #expect(decode([0x01, 0x01] + [0x01, 0x0A] + Payload.iBeacon) == .init(identity: .referenceBeacon))
    }

    @Test(
        "Structures too short for what their type begins with are counted, and what follows is read",
        arguments: [
            (UInt8(0xFF), 0..<2, AdvertisingData.Defect.truncatedManufacturerData),
            (0x16, 0..<2, .truncatedServiceData), (0x20, 0..<4, .truncatedServiceData),
            (0x21, 0..<16, .truncatedServiceData),
        ])
    func shortValues(type: UInt8, lengths: Range<Int>, defect: AdvertisingData.Defect) {
        for length in lengths {
            let short = Payload.structure(type, [UInt8](repeating: 0x11, count: length))
            #expect(decode(short + Payload.iBeacon) == .init(identity: .referenceBeacon, defect: defect))
        }
    }

    @Test(
        "A list of services that ends within one is counted",
        arguments: [(UInt8(0x02), 3), (0x03, 1), (0x06, 15), (0x07, 17)])
    func raggedList(type: UInt8, length: Int) {
        let list = Payload.structure(type, [UInt8](repeating: 0x11, count: length))
        #expect(decode(list) == .init(defect: .truncatedServiceList))
    }

    @Test("A name of 248 bytes is the longest")
    func names248() {
        let longest = String(repeating: "x", count: 248)
        #expect(decode(Payload.name(longest)) == .init())
        #expect(decode(Payload.name(longest + "x")) == .init(defect: .overLongName))
    }

    @Test("Two different beacons in one advertisement are counted, and the first is taken")
    func contradiction() {
        var other = Payload.iBeacon
        other[other.count - 2] ^= 1
        let contradictory = AdvertisingData.Decoded(identity: .referenceBeacon, defect: .contradictoryIdentities)
        #expect(decode(Payload.iBeacon + other) == contradictory)
        #expect(decode(Payload.iBeacon + Payload.iBeacon) == .init(identity: .referenceBeacon))
    }

    @Test("A beacon that says two powers is one beacon")
    func twoPowers() {
        var other = Payload.iBeacon
        other[other.count - 1] ^= 1
        #expect(decode(Payload.iBeacon + other) == .init(identity: .referenceBeacon))
    }

    @Test("A truncated structure after an iBeacon is counted, and the iBeacon kept")
    func defectAfterIBeacon() {
        #expect(
            decode(Payload.iBeacon + [0x05, 0x09]) == .init(identity: .referenceBeacon, defect: .truncatedStructure))
    }

    @Test(
        "Manufacturer data of no known kind are told apart by company",
        arguments: [
            ([UInt8(0x06), 0x00, 0x01], AdvertisingData.Company.microsoft), ([0x4C, 0x00], .apple),
            ([0x4C, 0x00, 0xBE], .apple), ([0x4D, 0x00, 0x02, 0x15], .other), ([0x00, 0x06, 0x01], .other),
        ])
    func companies(value: [UInt8], company: AdvertisingData.Company) {
        #expect(decode(Payload.structure(0xFF, value)) == .init(company: company))
    }

    @Test("An identity is small enough to be copied for every report")
    func size() {
        #expect(MemoryLayout<AdvertisedIdentity>.size <= 24)
        #expect(MemoryLayout<AdvertisingData.Decoded>.size <= 32)
    }

    @Test(
        "A structure that claims more bytes than there are is counted", arguments: [[UInt8(0x01)], [0x03, 0x09, 0x41]])
    func truncatedStructure(data: [UInt8]) {
        #expect(decode(data) == .init(defect: .truncatedStructure))
    }

    @Test("An identity before a truncated structure is kept")
    func identityBeforeDefect() {
        let data = Payload.exposureNotification + [0x05, 0x09, 0x41]
        #expect(decode(data) == .init(identity: .referencePhone, defect: .truncatedStructure))
    }

    @Test("An iBeacon wins over an Exposure Notification in the same data, in either order")
    func iBeaconWins() {
        #expect(decode(Payload.exposureNotification + Payload.iBeacon) == .init(identity: .referenceBeacon))
        #expect(decode(Payload.iBeacon + Payload.exposureNotification) == .init(identity: .referenceBeacon))
    }

    @Test("An Exposure Notification beside a truncated iBeacon is taken, and the defect is kept")
    func besideTruncatedIBeacon() {
        let truncated = Payload.structure(0xFF, Array(Payload.iBeaconValue.dropLast()))
        let expected = AdvertisingData.Decoded(identity: .referencePhone, defect: .truncatedIBeacon)
        #expect(decode(truncated + Payload.exposureNotification) == expected)
        #expect(decode(Payload.exposureNotification + truncated) == expected)
    }

    @Test("Of several defects the first is named")
    func firstDefect() {
        let truncated = Payload.structure(0xFF, Array(Payload.iBeaconValue.dropLast()))
        #expect(decode(truncated + Payload.structure(0x16, [0x6F, 0xFD])) == .init(defect: .truncatedIBeacon))
        #expect(
            decode(Payload.structure(0x16, [0x6F, 0xFD]) + truncated)
                == .init(defect: .wrongExposureNotificationLength))
    }

    @Test("Extended data of 1650 bytes, the longest there is, is read to its end")
    func longest() {
        let filler = Payload.structure(0x09, [UInt8](repeating: 0x41, count: 200))
        var data: [UInt8] = []
        for _ in 0..<8 { data += filler }
        #expect(decode(data + Payload.iBeacon) == .init(identity: .referenceBeacon))
    }

    @Test("Every truncation of the reference is nobody, and is counted unless it ends with a structure")
    func truncationsOfReference() {
        for length in 0..<Payload.reference.count {
            let expected: AdvertisingData.Defect? = length == 0 || length == 3 ? nil : .truncatedStructure
            #expect(decode(Array(Payload.reference.prefix(length))) == .init(defect: expected))
        }
    }

    @Test("Names of defects can be labels of a metric")
    func names() {
        let names = AdvertisingData.Defect.allCases.map(\.rawValue)
        #expect(
            names == [
                "truncated-structure", "data-after-end", "contradictory-identities", "truncated-manufacturer-data",
                "truncated-service-data", "truncated-service-list", "over-long-name", "truncated-ibeacon",
                "over-long-ibeacon", "truncated-altbeacon", "over-long-altbeacon",
                "wrong-exposure-notification-length", "wrong-eddystone-length", "invalid-eddystone-url",
                "wrong-overflow-length",
            ])
    }
}
