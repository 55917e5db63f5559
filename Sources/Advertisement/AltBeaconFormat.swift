import BeaconModel

/// AltBeacon (Radius Networks, "AltBeacon Protocol Specification v1.0"): company identifier of the manufacturer, code
/// 0xBEAC, 20 bytes of identity, reference RSSI at 1 m, one byte reserved for the manufacturer.
enum AltBeaconFormat: AdvertisementFormat {
    private static let length = 26

    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        let company = value.littleEndian(UInt16.self, at: 0)
        guard value.count >= 4, value[3] == 0xAC else {
            findings.company = findings.company ?? .init(company)
            return
        }
        guard value.count == length else {
            return findings.note(value.count < length ? .truncatedAltBeacon : .overLongAltBeacon)
        }
        let beacon = BeaconID(
            uuid: ProximityUUID(bits: value.bigEndian(UInt128.self, at: 4)),
            major: value.bigEndian(UInt16.self, at: 20), minor: value.bigEndian(UInt16.self, at: 22))
        findings.take(
            .altBeacon(beacon, manufacturer: company, referenceRSSI: Int8(bitPattern: value[24])), .altBeacon)
    }
}
