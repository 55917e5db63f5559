/// A complete or shortened local name: at most 248 bytes (Bluetooth Core Specification 5.4, Vol 3, Part C, 12.1).
enum LocalName: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        if value.count > 248 { findings.note(.overLongName) }
        // A shortened name is a prefix of the name. A scan response has room for 8 bytes of it.
        guard (8...11).contains(value.count), value.bigEndian(UInt64.self, at: 0) == 0x6675_7274_6865_725F else {
            return
        }
        let rest: [3 of UInt8] = [0x61, 0x70, 0x70]
        for index in 8..<value.count where value[index] != rest[index - 8] { return }
        findings.further.isNamed = true
    }
}
