import BeaconModel

/// Eddystone-TLM (Google, "Unencrypted TLM Frame Specification", "Encrypted TLM Frame Specification"): frame 0x20,
/// version, then battery, temperature and counters; in version 1 the same data encrypted, with salt and integrity
/// check. No other version is known.
enum EddystoneTLMFormat: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count >= 4 else { return findings.note(.wrongEddystoneLength) }
        switch value[3] {
        case 0x00:
            guard value.count == 16 else { return findings.note(.wrongEddystoneLength) }
            let telemetry = EddystoneTelemetry.Plain(
                battery: value.bigEndian(UInt16.self, at: 4),
                temperature: Int16(bitPattern: value.bigEndian(UInt16.self, at: 6)),
                advertisements: value.bigEndian(UInt32.self, at: 8),
                deciseconds: value.bigEndian(UInt32.self, at: 12))
            findings.take(.eddystoneTLM(.plain(telemetry)), .eddystone)
        case 0x01:
            guard value.count == 20 else { return findings.note(.wrongEddystoneLength) }
            findings.take(.eddystoneTLM(.encrypted), .eddystone)
        default: break
        }
    }
}
