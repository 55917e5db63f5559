/// The substitutes for what identifies somebody in an address and in advertising data
/// (AD structures: Bluetooth Core Specification 5.4, Vol 3, Part C, 11; types: Assigned Numbers, 2.3).
struct AdvertisingDataPseudonyms: Sendable {
    let key: PseudonymKey

    /// Names by which programs say what they are, not who: "Further" has it beside Exposure Notification.
    private static let programNames: Set<[UInt8]> = [Array("further_app".utf8)]

    /// Replaces the six bytes of a device address, least significant first, and keeps its kind
    /// (Core Specification 5.4, Vol 6, Part B, 1.3): a public one becomes locally administered.
    func replaceAddress(at start: Int, type: UInt8, in bytes: inout [UInt8]) {
        let address = Array(bytes[start..<(start + 6)])
        // Of an anonymous advertiser, or where no address is meant.
        if address.allSatisfy({ $0 == 0 }) { return }
        let isPublic = type == 0x00 || type == 0x02
        var substitute = key.bytes(6, for: address, isPublic ? .publicAddress : .randomAddress)
        if isPublic {
            substitute[5] = substitute[5] & 0xFC | 0x02
        } else {
            substitute[5] = substitute[5] & 0x3F | address[5] & 0xC0
        }
        bytes.replaceSubrange(start..<(start + 6), with: substitute)
    }

    /// Replaces bytes of which nothing is known; zeros stay, because an AD structure of length zero means the end.
    func fill(_ range: Range<Int>, of bytes: inout [UInt8]) {
        let substitute = key.bytes(range.count, for: bytes[range], .filler)
        for (index, byte) in zip(range, substitute) where bytes[index] != 0 { bytes[index] = 1 + byte % 255 }
    }

    func replaceStructures(_ data: Range<Int>, of bytes: inout [UInt8]) {
        var offset = data.lowerBound
        while offset < data.upperBound {
            let length = Int(bytes[offset])
            if length == 0 { return fill(offset..<data.upperBound, of: &bytes) }
            let end = offset + 1 + length
            guard end <= data.upperBound else {
                return fill(min(offset + 2, data.upperBound)..<data.upperBound, of: &bytes)
            }
            replaceValue((offset + 2)..<end, type: bytes[offset + 1], of: &bytes)
            offset = end
        }
    }

    private func replaceValue(_ value: Range<Int>, type: UInt8, of bytes: inout [UInt8]) {
        switch type {
        case 0x01, 0x0A: fill(value.dropFirst(1), of: &bytes)  // flags, power
        case 0x19: fill(value.dropFirst(2), of: &bytes)  // appearance
        // Lists of service UUIDs; what is left of a UUID isn't understood.
        case 0x02, 0x03, 0x14: fill(value.suffix(value.count % 2), of: &bytes)
        case 0x04, 0x05, 0x1F: fill(value.suffix(value.count % 4), of: &bytes)
        case 0x06, 0x07, 0x15: fill(value.suffix(value.count % 16), of: &bytes)
        case 0x08, 0x09, 0x30: replaceName(value, of: &bytes)
        case 0x16: ServiceDataPseudonyms(key: key).replace(value, of: &bytes)
        case 0x20: replacePayload(value.dropFirst(4), under: value.prefix(4), type, of: &bytes)
        case 0x21: replacePayload(value.dropFirst(16), under: value.prefix(16), type, of: &bytes)
        case 0xFF: ManufacturerDataPseudonyms(key: key).replace(value, of: &bytes)
        default: fill(value, of: &bytes)
        }
    }

    private func replacePayload(
        _ payload: Range<Int>, under identifier: Range<Int>, _ type: UInt8, of bytes: inout [UInt8]
    ) {
        // Shorter than the identifier: not understood.
        if payload.isEmpty { return }
        key.replace(payload, context: [type] + bytes[identifier], .payload, of: &bytes)
    }

    /// Letters, as many as there were bytes.
    private func replaceName(_ value: Range<Int>, of bytes: inout [UInt8]) {
        if Self.programNames.contains(Array(bytes[value])) { return }
        let letters = key.bytes(value.count, for: bytes[value], .name).map { UInt8(ascii: "a") + $0 % 26 }
        bytes.replaceSubrange(value, with: letters)
    }
}

extension PseudonymKey {
    /// Replaces a whole range by a substitute that depends on all of it and on `context`, at most 255 bytes.
    func replace(_ range: Range<Int>, context: [UInt8] = [], _ domain: Domain, of bytes: inout [UInt8]) {
        bytes.replaceSubrange(
            range,
            with: self.bytes(
                range.count, for: [UInt8(truncatingIfNeeded: context.count)] + context + bytes[range], domain))
    }

    /// Replaces UUID, major and minor of an iBeacon or AltBeacon, 20 bytes; equal ones stay equal in both formats.
    func replaceBeacon(at start: Int, of bytes: inout [UInt8]) {
        let uuid = Array(bytes[start..<(start + 16)])
        let major = Array(bytes[(start + 16)..<(start + 18)])
        replace(start..<(start + 16), .beaconUUID, of: &bytes)
        replaceNumber(at: start + 16, context: uuid, .major, of: &bytes)
        replaceNumber(at: start + 18, context: uuid + major, .minor, of: &bytes)
    }

    private func replaceNumber(at start: Int, context: [UInt8], _ domain: Domain, of bytes: inout [UInt8]) {
        let substitute = permuted(UInt16(bytes[start]) << 8 | UInt16(bytes[start + 1]), in: context, domain)
        bytes[start] = UInt8(substitute >> 8)
        bytes[start + 1] = UInt8(substitute & 0xFF)
    }
}
