import BeaconModel

/// Eddystone-EID (Google, "Eddystone-EID", "Frame Specification"): frame 0x30, transmit power at 0 m, 8 bytes of
/// ephemeral identifier.
enum EddystoneEIDFormat: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count == 12 else { return findings.note(.wrongEddystoneLength) }
        findings.take(
            .eddystoneEID(value.bigEndian(UInt64.self, at: 4), txPower: Int8(bitPattern: value[3])), .eddystone)
    }
}
