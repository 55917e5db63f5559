import BeaconModel

/// The services of background apps on an iPhone: company identifier, type 0x01, 128 bits. The format is undocumented
/// and known from captures (D. G. Young, "Hacking the overflow area", 2020).
enum AppleOverflowFormat: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count == 19 else { return findings.note(.wrongOverflowLength) }
        findings.take(.appleOverflow(AppleOverflow(bits: value.bigEndian(UInt128.self, at: 3))), .appleOverflow)
    }
}
