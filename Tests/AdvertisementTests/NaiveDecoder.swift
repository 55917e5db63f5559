import Advertisement
import BeaconModel

/// The same rules as `AdvertisingData.decode`, written in the plainest way: first cut into structures, then look.
enum NaiveDecoder {
    static func decode(_ data: [UInt8]) -> AdvertisingData.Decoded {
        let (structures, isTruncated) = cut(data)
        var decoded = AdvertisingData.Decoded()
        for (type, value) in structures {
            if type == 0xFF, value.starts(with: [0x4C, 0x00, 0x02, 0x15]) {
                if value.count >= 25 {
                    decoded.identity = iBeacon(value)
                    return decoded
                }
                decoded.defect = decoded.defect ?? .truncatedIBeacon
            }
            if type == 0x16, value.starts(with: [0x6F, 0xFD]) {
                if value.count == 22 {
                    let identifier = RollingProximityIdentifier(bits: number(value[2..<18]))
                    decoded.identity = decoded.identity ?? .exposureNotification(identifier)
                } else {
                    decoded.defect = decoded.defect ?? .wrongExposureNotificationLength
                }
            }
        }
        if isTruncated { decoded.defect = decoded.defect ?? .truncatedStructure }
        return decoded
    }

    private static func cut(_ data: [UInt8]) -> (structures: [(UInt8, [UInt8])], isTruncated: Bool) {
        var structures: [(UInt8, [UInt8])] = []
        var rest = data[...]
        while let length = rest.popFirst(), length > 0 {
            guard rest.count >= Int(length) else { return (structures, true) }
            structures.append((rest.first!, Array(rest.dropFirst().prefix(Int(length) - 1))))
            rest = rest.dropFirst(Int(length))
        }
        return (structures, false)
    }

    private static func iBeacon(_ value: [UInt8]) -> AdvertisedIdentity {
        let beacon = BeaconID(
            uuid: ProximityUUID(bits: number(value[4..<20])), major: UInt16(number(value[20..<22])),
            minor: UInt16(number(value[22..<24])))
        return .iBeacon(beacon, measuredPower: Int8(truncatingIfNeeded: Int(value[24])))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt128 {
        bytes.reduce(0) { $0 * 256 + UInt128($1) }
    }
}
