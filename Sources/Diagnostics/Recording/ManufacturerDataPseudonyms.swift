/// Substitution in manufacturer-specific data: a company identifier, little-endian, and data in the company's own
/// format.
struct ManufacturerDataPseudonyms: Sendable {
    let key: PseudonymKey

    private static let apple: [UInt8] = [0x4C, 0x00]
    /// Code of an AltBeacon, of any company (AltBeacon Protocol Specification 1.0).
    private static let beaconCode: [UInt8] = [0xBE, 0xAC]

    func replace(_ value: Range<Int>, of bytes: inout [UInt8]) {
        let company = Array(bytes[value.prefix(2)])
        let payload = value.dropFirst(2)
        if company.count < 2 {
            AdvertisingDataPseudonyms(key: key).fill(value, of: &bytes)
        } else if bytes[payload].starts(with: Self.beaconCode) {
            replaceAltBeacon(payload.dropFirst(2), context: company, of: &bytes)
        } else if company == Self.apple {
            replaceApple(payload, of: &bytes)
        } else {
            key.replace(payload, context: company, .payload, of: &bytes)
            // By chance, one in 65 536 substitutes would look like an AltBeacon.
            if bytes[payload].starts(with: Self.beaconCode) { bytes[payload.lowerBound] ^= 1 }
        }
    }

    /// Replaces an AltBeacon: 20 bytes of identifier, reference RSSI, and a byte reserved for the manufacturer.
    private func replaceAltBeacon(_ value: Range<Int>, context: [UInt8], of bytes: inout [UInt8]) {
        guard value.count >= 21 else { return key.replace(value, context: context, .payload, of: &bytes) }
        key.replaceBeacon(at: value.lowerBound, of: &bytes)
        key.replace(value.dropFirst(21), context: context, .payload, of: &bytes)
    }

    /// Replaces the contents of a sequence of messages, each a type, a length and that many bytes (Celosia and Cunche,
    /// "Discontinued Privacy", PoPETs 2020; Martin et al., "Handoff All Your Privacy", PoPETs 2019). The first can be
    /// an iBeacon.
    private func replaceApple(_ value: Range<Int>, of bytes: inout [UInt8]) {
        // Overflow area of background services: type 1 and a mask of 16 bytes, without a length.
        if value.count == 17, bytes[value.lowerBound] == 0x01 {
            return key.replace(value.dropFirst(1), context: Self.apple, .payload, of: &bytes)
        }
        // A type alone identifies nobody.
        if value.count == 1 { return }
        var rest = value
        while rest.count >= 2 {
            let type = bytes[rest.lowerBound]
            let length = Int(bytes[rest.lowerBound + 1])
            let isBeacon = type == 0x02 && length == 0x15
            let message = rest.dropFirst(2)
            guard length <= message.count else {
                // A truncated iBeacon must remain recognisable as an iBeacon that is too short.
                if isBeacon {
                    rest = message
                    break
                }
                return replaceTruncated(rest, of: &bytes)
            }
            if isBeacon {
                // The last byte is the measured power.
                key.replaceBeacon(at: message.lowerBound, of: &bytes)
            } else {
                key.replace(message.prefix(length), context: [type], .payload, of: &bytes)
            }
            rest = message.dropFirst(length)
        }
        AdvertisingDataPseudonyms(key: key).fill(rest, of: &bytes)
    }

    /// Replaces a truncated message. Its type stays.
    private func replaceTruncated(_ message: Range<Int>, of bytes: inout [UInt8]) {
        AdvertisingDataPseudonyms(key: key).fill(message.dropFirst(1), of: &bytes)
        // By chance, one in 255 substitutes would look like an iBeacon or an AltBeacon.
        if [[0x02, 0x15], Self.beaconCode].contains(where: bytes[message].starts) {
            bytes[message.lowerBound + 1] ^= 1
        }
    }
}
