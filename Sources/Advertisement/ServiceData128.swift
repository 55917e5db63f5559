import BeaconModel

/// Service data of a 128-bit UUID. Only the service is read.
enum ServiceData128: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        guard value.count >= 16 else { return findings.note(.truncatedServiceData) }
        if let app = ContactApp(service: value.littleEndian(UInt128.self, at: 0)) {
            findings.take(.contactApp(app), .contactApp)
        }
    }
}
