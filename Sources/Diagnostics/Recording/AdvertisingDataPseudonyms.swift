import BeaconModel

/// Substitution of identifying values in addresses and advertising data (AD structures: Bluetooth Core Specification
/// 5.4, Vol 3, Part C, 11; types: Assigned Numbers, 2.3).
struct AdvertisingDataPseudonyms: Sendable {
    let key: PseudonymKey

    /// Device name that identifies a program, not a person. "Further" advertises it beside Exposure Notification.
    private static let programName = Array("further_app".utf8)
    /// Length in bytes to which a scan response can shorten the name.
    private static let shortestProgramName = 8
    /// 16-bit UUID of Exposure Notification, little-endian.
    private static let exposureNotification: [UInt8] = [0x6F, 0xFD]

    /// Replaces the six bytes of a device address, least significant first, and keeps its kind (Core Specification 5.4,
    /// Vol 6, Part B, 1.3). A public address becomes locally administered.
    func replaceAddress(at start: Int, type: UInt8, in bytes: inout [UInt8]) {
        let address = Array(bytes[start..<(start + 6)])
        // Anonymous advertiser, or no address at all.
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

    /// Replaces bytes of unknown meaning. Zeros stay, because an AD structure of length zero marks the end.
    func fill(_ range: Range<Int>, of bytes: inout [UInt8]) {
        let substitute = key.bytes(range.count, for: bytes[range], .filler)
        for (index, byte) in zip(range, substitute) where bytes[index] != 0 { bytes[index] = 1 + byte % 255 }
    }

    func replaceStructures(_ data: Range<Int>, of bytes: inout [UInt8]) {
        let listsUser = mayListUser(data, in: bytes)
        let rest = forEachStructure(in: data, of: &bytes) { type, value, bytes in
            switch type {
            case 0x06, 0x07: replaceServices(value, areUsers: listsUser, of: &bytes)
            default: replaceValue(value, type: type, of: &bytes)
            }
        }
        // A zero length marks the end, and padding follows; otherwise this is a truncated structure.
        let isEnd = rest.first.map { bytes[$0] == 0 } ?? true
        fill(rest.dropFirst(isEnd ? 0 : 2), of: &bytes)
    }

    /// Calls `body` with the type and the value range of every complete structure.
    ///
    /// - Returns: the range after the last complete structure.
    private func forEachStructure(
        in data: Range<Int>, of bytes: inout [UInt8], _ body: (UInt8, Range<Int>, inout [UInt8]) -> Void
    ) -> Range<Int> {
        var rest = data
        while let start = rest.first {
            let length = Int(bytes[start])
            guard length > 0, length < rest.count else { break }
            body(bytes[start + 1], (start + 2)..<(start + 1 + length), &bytes)
            rest = rest.dropFirst(1 + length)
        }
        return rest
    }

    /// Returns whether the data shows a sign of Further, which lists a UUID that identifies its user (see
    /// `FurtherFormat`).
    private func mayListUser(_ data: Range<Int>, in bytes: [UInt8]) -> Bool {
        var isSigned = false
        var bytes = bytes
        _ = forEachStructure(in: data, of: &bytes) { type, value, bytes in
            switch type {
            case 0x02, 0x03:
                for start in stride(from: value.lowerBound, to: value.upperBound, by: 2)
                where bytes[start..<value.upperBound].starts(with: Self.exposureNotification) { isSigned = true }
            case 0x16: if bytes[value].starts(with: Self.exposureNotification) { isSigned = true }
            case 0x08, 0x09: if Self.isProgramName(bytes[value]) { isSigned = true }
            default: break
            }
        }
        return isSigned
    }

    /// Replaces identifying UUIDs in a list of 128-bit UUIDs.
    ///
    /// - Parameter areUsers: whether UUIDs of no known app identify users.
    private func replaceServices(_ value: Range<Int>, areUsers: Bool, of bytes: inout [UInt8]) {
        var rest = value
        while rest.count >= 16 {
            replaceService(rest.prefix(16), isUser: areUsers, of: &bytes)
            rest = rest.dropFirst(16)
        }
        fill(rest, of: &bytes)
    }

    private func replaceService(_ service: Range<Int>, isUser: Bool = false, of bytes: inout [UInt8]) {
        switch ContactApp(service: bytes[service].reversed().reduce(0) { $0 << 8 | UInt128($1) }) {
        case .c19x:
            // The lower half is a number or a code, unless it is zero.
            let code = service.prefix(8)
            if bytes[code].contains(where: { $0 != 0 }) { key.replace(code, .service, of: &bytes) }
        case nil: if isUser { key.replace(service, .service, of: &bytes) }
        default: break
        }
    }

    private static func isProgramName(_ name: ArraySlice<UInt8>) -> Bool {
        name.count >= shortestProgramName && programName.starts(with: name)
    }

    private func replaceValue(_ value: Range<Int>, type: UInt8, of bytes: inout [UInt8]) {
        switch type {
        case 0x01, 0x0A: fill(value.dropFirst(1), of: &bytes)  // flags, power
        case 0x19: fill(value.dropFirst(2), of: &bytes)  // appearance
        // Lists of service UUIDs. The remainder of an incomplete UUID has no known meaning.
        case 0x02, 0x03, 0x14: fill(value.suffix(value.count % 2), of: &bytes)
        case 0x04, 0x05, 0x1F: fill(value.suffix(value.count % 4), of: &bytes)
        case 0x06, 0x07, 0x15: replaceServices(value, areUsers: false, of: &bytes)
        case 0x08, 0x09, 0x30: replaceName(value, of: &bytes)
        case 0x16: ServiceDataPseudonyms(key: key).replace(value, of: &bytes)
        case 0x20: replacePayload(value.dropFirst(4), under: value.prefix(4), type, of: &bytes)
        case 0x21:
            replacePayload(value.dropFirst(16), under: value.prefix(16), type, of: &bytes)
            if value.count >= 16 { replaceService(value.prefix(16), of: &bytes) }
        case 0xFF: ManufacturerDataPseudonyms(key: key).replace(value, of: &bytes)
        default: fill(value, of: &bytes)
        }
    }

    private func replacePayload(
        _ payload: Range<Int>, under identifier: Range<Int>, _ type: UInt8, of bytes: inout [UInt8]
    ) {
        // Empty when the value is no longer than the identifier, which stays.
        if payload.isEmpty { return }
        key.replace(payload, context: [type] + bytes[identifier], .payload, of: &bytes)
    }

    /// Replaces a name by as many letters as it had bytes.
    private func replaceName(_ value: Range<Int>, of bytes: inout [UInt8]) {
        if Self.isProgramName(bytes[value]) { return }
        let letters = key.bytes(value.count, for: bytes[value], .name).map { UInt8(ascii: "a") + $0 % 26 }
        bytes.replaceSubrange(value, with: letters)
    }
}

extension PseudonymKey {
    /// Replaces a whole range by a substitute that depends on all of it and on `context`, at most 255 bytes.
    package func replace(_ range: Range<Int>, context: [UInt8] = [], _ domain: Domain, of bytes: inout [UInt8]) {
        bytes.replaceSubrange(
            range,
            with: self.bytes(
                range.count, for: [UInt8(truncatingIfNeeded: context.count)] + context + bytes[range], domain))
    }

    /// Replaces UUID, major and minor of an iBeacon or AltBeacon, 20 bytes. Equal identities stay equal across both
    /// formats.
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
