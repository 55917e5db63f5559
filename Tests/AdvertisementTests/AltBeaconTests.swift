import Advertisement
import BeaconModel
import Testing

/// Vectors: AltBeacon Protocol Specification v1.0, "AltBeacon Protocol Fields".
@Suite("AltBeacon")
struct AltBeaconTests {
    private let identity = AdvertisedIdentity.altBeacon(Payload.beacon, manufacturer: 0x0118, referenceRSSI: -59)

    @Test("Company, identity and reference RSSI are read")
    func fields() {
        #expect(decode(Payload.altBeacon) == .init(identity: identity))
        #expect(decode(Payload.flags(0x06) + Payload.altBeacon) == .init(identity: identity))
    }

    @Test("Any company may make one, also Apple and Microsoft", arguments: [UInt16(0x004C), 0x0006, 0xFFFF])
    func companies(company: UInt16) {
        var value = Payload.altBeaconValue
        value[0] = UInt8(company & 0xFF)
        value[1] = UInt8(company >> 8)
        let expected = AdvertisedIdentity.altBeacon(Payload.beacon, manufacturer: company, referenceRSSI: -59)
        #expect(decode(Payload.structure(0xFF, value)) == .init(identity: expected))
    }

    @Test("One that is too short is counted", arguments: 4..<26)
    func truncated(length: Int) {
        let value = Array(Payload.altBeaconValue.prefix(length))
        #expect(decode(Payload.structure(0xFF, value)) == .init(defect: .truncatedAltBeacon))
    }

    @Test("One that is too long is counted, and is none", arguments: [1, 2, 5])
    func tooLong(excess: Int) {
        let value = Payload.altBeaconValue + [UInt8](repeating: 0, count: excess)
        #expect(decode(Payload.structure(0xFF, value)) == .init(defect: .overLongAltBeacon))
    }

    @Test("Another code is none")
    func otherCode() {
        var value = Payload.altBeaconValue
        value[3] = 0xAD
        #expect(decode(Payload.structure(0xFF, value)) == .init(company: .other))
    }

    @Test("It is the same subject as the iBeacon of the same identity, which wins in one advertisement")
    func sameSubject() {
        #expect(identity.subject(address: nil) == AdvertisedIdentity.referenceBeacon.subject(address: nil))
        #expect(decode(Payload.altBeacon + Payload.iBeacon) == .init(identity: .referenceBeacon))
        #expect(decode(Payload.iBeacon + Payload.altBeacon) == .init(identity: .referenceBeacon))
    }
}
