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

    @Test("A zero length ends the data, whatever follows")
    func earlyTermination() {
        #expect(decode(Payload.flags(0x06) + [0x00] + Payload.iBeacon) == .init())
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
        #expect(decode([0x01, 0xFF] + [0x01, 0x16] + Payload.iBeacon) == .init(identity: .referenceBeacon))
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
            names == ["truncated-structure", "truncated-ibeacon", "wrong-exposure-notification-length"])
    }
}
