import BeaconModel

/// Service data of Herald's 16-bit service. Only the service is read.
enum HeraldFormat: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        findings.take(.contactApp(.herald), .contactApp)
    }
}
