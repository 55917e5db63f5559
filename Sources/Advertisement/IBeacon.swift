public import BeaconModel

/// Apple's iBeacon format (Apple, "Proximity Beacon Specification", release R1).
public enum IBeacon: AdvertisementFormat {
    /// Prefix of an iBeacon: company identifier 0x004C little-endian, type 0x02, length 0x15.
    private static let prefix: [4 of UInt8] = [0x4C, 0x00, 0x02, 0x15]
    /// Length of the structure's data in bytes: prefix, UUID, major, minor, measured power.
    private static let length = 25

    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        // Apple's type 0x02 with another length is not an iBeacon.
        guard value.count > 3, value[3] == 0x15 else { return AppleDeviceFormat.read(value, into: &findings) }
        guard value.count == length else {
            return findings.note(value.count < length ? .truncatedIBeacon : .overLongIBeacon)
        }
        let beacon = BeaconID(
            uuid: ProximityUUID(bits: value.bigEndian(UInt128.self, at: 4)),
            major: value.bigEndian(UInt16.self, at: 20), minor: value.bigEndian(UInt16.self, at: 22))
        findings.take(.iBeacon(beacon, measuredPower: Int8(bitPattern: value[24])), .iBeacon)
    }

    /// Returns the 30 bytes that advertise `beacon`: flags (LE General Discoverable, no BR/EDR) and the iBeacon.
    ///
    /// - Parameter measuredPower: the RSSI at 1 m, in dBm.
    public static func advertisingData(_ beacon: BeaconID, measuredPower: Int8) -> [UInt8] {
        var data: [UInt8] = [0x02, ADType.flags, 0x06, 0x1A, ADType.manufacturerSpecificData]
        for index in prefix.indices { data.append(prefix[index]) }
        data += beacon.uuid.bytes
        data += [UInt8(beacon.major >> 8), UInt8(beacon.major & 0xFF)]
        data += [UInt8(beacon.minor >> 8), UInt8(beacon.minor & 0xFF)]
        data.append(UInt8(bitPattern: measuredPower))
        return data
    }
}
