import BeaconModel

/// A list of 128-bit service UUIDs.
enum ServiceList128: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        if value.count % 16 != 0 { findings.note(.truncatedServiceList) }
        var offset = 0
        while value.count - offset >= 16 {
            let uuid = value.littleEndian(UInt128.self, at: offset)
            if let app = ContactApp(service: uuid) {
                findings.take(.contactApp(app), .contactApp)
            } else if findings.further.user == nil {
                findings.further.user = UInt64(truncatingIfNeeded: uuid >> 64)
            }
            offset += 16
        }
    }
}
