import Advertisement
import BeaconModel
import Testing

@Suite("Contact-tracing apps")
struct ContactAppTests {
    private let address = BluetoothAddress(bits: 0xC011_2233_4401)

    @Test(
        "An app is known by the service that it lists",
        arguments: [
            // `BProximity.swift` of BLE-Proximity.
            ("8E99298E-65D6-4AF7-9074-731C66E01AF9", ContactApp.bleProximity),
            // `BLESensorConfiguration` of C19X: the service, and one of those numbered from it.
            ("FFFFFFFF-EEEE-DDDD-0000-000000000000", .c19x), ("FFFFFFFF-EEEE-DDDD-0000-000000000001", .c19x),
            // "Herald Protocol", section "Service ID".
            ("428132AF-4746-42D3-801E-4572D65BFD9B", .herald),
        ])
    func listed(service: String, app: ContactApp) {
        let uuid = Payload.uuid128(service)
        let expected = AdvertisingData.Decoded(identity: .contactApp(app))
        #expect(decode(Payload.flags(0x1A) + Payload.structure(0x07, uuid)) == expected)
        #expect(decode(Payload.structure(0x06, [UInt8](repeating: 0x11, count: 16) + uuid)) == expected)
        #expect(decode(Payload.structure(0x21, uuid + [0x01, 0x02])) == expected)
    }

    @Test("A UUID in the order in which it is printed is another service")
    func byteOrder() {
        let reversed = Array(Payload.uuid128("8E99298E-65D6-4AF7-9074-731C66E01AF9").reversed())
        #expect(decode(Payload.structure(0x07, reversed)) == .init())
    }

    @Test("A UUID that differs in one bit is another service", arguments: 0..<128)
    func otherService(bit: Int) {
        for service in ["8E99298E-65D6-4AF7-9074-731C66E01AF9", "428132AF-4746-42D3-801E-4572D65BFD9B"] {
            var uuid = Payload.uuid128(service)
            uuid[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(decode(Payload.structure(0x07, uuid)) == .init())
        }
    }

    @Test("Herald is known by its capture and by its 16-bit service")
    func herald() {
        #expect(decode(Payload.herald) == .init(identity: .contactApp(.herald)))
        #expect(decode(Payload.herald16) == .init(identity: .contactApp(.herald)))
        #expect(decode(Payload.structure(0x16, [0xF6, 0xFC])) == .init(identity: .contactApp(.herald)))
        // With the pseudonymous address of an Android phone (company 65530).
        let android = Payload.herald + Payload.structure(0xFF, [0xFA, 0xFF, 1, 2, 3, 4, 5, 6])
        #expect(decode(android) == .init(identity: .contactApp(.herald)))
    }

    @Test("Further is known by its two lists, and its user by the UUID of the second")
    func further() {
        #expect(decode(Payload.further) == .init(identity: .contactUser(.further, 0x0F1E_2D3C_4B5A_6978)))
    }

    @Test("Further is known by its name, whole or shortened, beside the service", arguments: 8...11)
    func furtherName(length: Int) {
        let name = Payload.structure(length == 11 ? 0x09 : 0x08, Array("further_app".utf8.prefix(length)))
        let expected = AdvertisingData.Decoded(identity: .contactApp(.further))
        #expect(decode(Payload.serviceList + name) == expected)
        #expect(decode(name + Payload.exposureNotification) == expected)
        #expect(decode(name) == .init(), "the name alone isn't enough")
    }

    @Test(
        "Another name, also a longer one, is not Further's",
        arguments: ["further", "further_apq", "further_app2", "Further_app"])
    func otherName(name: String) {
        #expect(decode(Payload.exposureNotification + Payload.name(name)) == .init(identity: .referencePhone))
    }

    @Test("A phone with Exposure Notification and a list of other services stays one")
    func exposureNotificationWithServices() {
        let data = Payload.serviceList + Payload.exposureNotification
        let list = Payload.structure(0x07, Payload.uuid128(Payload.furtherUser))
        #expect(decode(data + list) == .init(identity: .referencePhone))
    }

    @Test("An iBeacon beside an app's service is an iBeacon")
    func beacon() {
        #expect(decode(Payload.bleProximity + Payload.iBeacon) == .init(identity: .referenceBeacon))
        #expect(decode(Payload.further + Payload.iBeacon) == .init(identity: .referenceBeacon))
    }

    @Test("Who says no code is followed by the address, and not at all without one")
    func subjects() {
        let identity = AdvertisedIdentity.contactApp(.c19x)
        #expect(identity.subject(address: address) == .contactApp(.c19x, address))
        #expect(identity.subject(address: nil) == nil)
        #expect(AdvertisedIdentity.contactUser(.further, 7).subject(address: address) == .contactUser(.further, 7))
    }
}
