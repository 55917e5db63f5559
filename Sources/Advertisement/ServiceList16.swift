import BeaconModel

/// A list of 16-bit service UUIDs (Core Specification Supplement, Part A, 1.1).
enum ServiceList16: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        if value.count % 2 != 0 { findings.note(.truncatedServiceList) }
        var offset = 0
        while value.count - offset >= 2 {
            switch value.littleEndian(UInt16.self, at: offset) {
            case ServiceID.exposureNotification: findings.further.listsService = true
            case ServiceID.herald: findings.take(.contactApp(.herald), .contactApp)
            default: break
            }
            offset += 2
        }
    }
}
