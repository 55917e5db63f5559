import BeaconModel

/// Eddystone-UID (Google, "Eddystone-UID", "Frame Specification"): frame 0x00, transmit power at 0 m, 10 bytes of
/// namespace, 6 bytes of instance, 2 reserved bytes, which early beacons omit.
enum EddystoneUIDFormat: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count == 22 || value.count == 20 else { return findings.note(.wrongEddystoneLength) }
        findings.take(
            .eddystoneUID(
                EddystoneUID(bits: value.bigEndian(UInt128.self, at: 4)), txPower: Int8(bitPattern: value[3])),
            .eddystone)
    }
}
