import Advertisement
import BeaconModel
import Testing

@Suite("ExposureNotification")
struct ExposureNotificationTests {
    @Test("Service data of 20 bytes under 0xFD6F is a phone, with and without flags")
    func phone() {
        let data = Payload.serviceList + Payload.exposureNotification
        #expect(decode(data) == .init(identity: .referencePhone))
        #expect(decode(Payload.flags(0x1A) + data) == .init(identity: .referencePhone))
    }

    @Test("The list of services isn't needed")
    func withoutServiceList() {
        #expect(decode(Payload.exposureNotification) == .init(identity: .referencePhone))
    }

    @Test("Structures as of a scan response, before and after it, do no harm")
    func amongOthers() {
        let power = Payload.structure(0x0A, [0x0C])
        let others = power + Payload.structure(0x16, [0x0F, 0x18, 0x64]) + Payload.name("x")
        #expect(decode(others + Payload.exposureNotification + power) == .init(identity: .referencePhone))
    }

    @Test("The metadata are read, and are no part of who it is")
    func metadata() {
        var value = Payload.exposureNotificationValue
        value.replaceSubrange(18..<22, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let decoded = decode(Payload.structure(0x16, value))
        #expect(
            decoded == .init(identity: .exposureNotification(Payload.identifier, encryptedMetadata: 0xFFFF_FFFF)))
        #expect(decoded.identity?.subject(address: nil) == .exposureNotification(Payload.identifier))
    }

    @Test("Another length is counted and is nobody", arguments: Array(2..<22) + [23, 24, 40])
    func wrongLength(length: Int) {
        let value = Array((Payload.exposureNotificationValue + [UInt8](repeating: 0, count: 40)).prefix(length))
        #expect(decode(Payload.structure(0x16, value)) == .init(defect: .wrongExposureNotificationLength))
    }

    @Test("Service data of another service is nobody", arguments: [[UInt8(0x6E), 0xFD], [0x6F, 0xFE], [0xFD, 0x6F]])
    func otherService(uuid: [UInt8]) {
        #expect(decode(Payload.structure(0x16, uuid + Payload.exposureNotificationValue.dropFirst(2))) == .init())
    }

    @Test("Service data too short for a UUID is a defect of its own", arguments: 0..<2)
    func shorterThanUUID(length: Int) {
        let value = Array(Payload.exposureNotificationValue.prefix(length))
        #expect(decode(Payload.structure(0x16, value)) == .init(defect: .truncatedServiceData))
    }

    @Test("Of two phones in one advertisement the first is taken, and the contradiction is counted")
    func first() {
        var second = Payload.exposureNotificationValue
        second[2] = 0xFF
        let data = Payload.exposureNotification + Payload.structure(0x16, second)
        #expect(decode(data) == .init(identity: .referencePhone, defect: .contradictoryIdentities))
    }
}
