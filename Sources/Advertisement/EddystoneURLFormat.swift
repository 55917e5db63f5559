import BeaconModel

/// Eddystone-URL (Google, "Eddystone-URL", "Frame Specification"): frame 0x10, transmit power at 0 m, scheme, 0 to 17
/// bytes of compressed link.
enum EddystoneURLFormat: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        guard (5...(5 + EddystoneURL.longest)).contains(value.count) else {
            return findings.note(.wrongEddystoneLength)
        }
        let link = EddystoneURL(
            txPower: Int8(bitPattern: value[3]), scheme: value[4], encoded: value.extracting(5...))
        guard let link else { return findings.note(.invalidEddystoneURL) }
        findings.take(.eddystoneURL(link), .eddystone)
    }
}
