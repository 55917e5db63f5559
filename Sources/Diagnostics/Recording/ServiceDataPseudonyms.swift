/// Substitution in service data with a 16-bit UUID, little-endian.
struct ServiceDataPseudonyms: Sendable {
    let key: PseudonymKey

    func replace(_ value: Range<Int>, of bytes: inout [UInt8]) {
        let uuid = Array(bytes[value.prefix(2)])
        let payload = value.dropFirst(2)
        switch uuid {
        case [0x6F, 0xFD]: replaceExposureNotification(payload, of: &bytes)
        case [0xAA, 0xFE]: replaceEddystone(payload, of: &bytes)
        case _ where uuid.count == 2: key.replace(payload, context: uuid, .payload, of: &bytes)
        default: AdvertisingDataPseudonyms(key: key).fill(value, of: &bytes)
        }
    }

    /// Replaces 16 bytes of rolling identifier and 4 of encrypted metadata (Exposure Notification, Bluetooth
    /// Specification 1.2).
    private func replaceExposureNotification(_ payload: Range<Int>, of bytes: inout [UInt8]) {
        let identifier = Array(bytes[payload.prefix(16)])
        key.replace(payload.prefix(16), .rollingIdentifier, of: &bytes)
        key.replace(payload.dropFirst(16), context: identifier, .metadata, of: &bytes)
    }

    /// Replaces the identifying parts of a frame, by its type (Eddystone Protocol Specification).
    private func replaceEddystone(_ payload: Range<Int>, of bytes: inout [UInt8]) {
        guard let type = bytes[payload].first else { return }
        // The second byte is the power at 0 m, or the version of telemetry.
        let value = payload.dropFirst(2)
        switch type {
        case 0x00 where value.count >= 16:
            key.replace(value.prefix(10), .namespace, of: &bytes)
            key.replace(value.dropFirst(10).prefix(6), .instance, of: &bytes)
            AdvertisingDataPseudonyms(key: key).fill(value.dropFirst(16), of: &bytes)
        case 0x10: replaceURL(value.dropFirst(1), of: &bytes)
        case 0x00, 0x20, 0x30: key.replace(value, context: [type], .payload, of: &bytes)
        default: key.replace(payload.dropFirst(1), context: [type], .payload, of: &bytes)
        }
    }

    /// Replaces the letters of a URL. Keeps the codes for ".com/" and the like; bytes that are not allowed in a URL
    /// stay invalid.
    private func replaceURL(_ text: Range<Int>, of bytes: inout [UInt8]) {
        let letters = key.bytes(text.count, for: bytes[text], .url)
        for (index, letter) in zip(text, letters) {
            switch bytes[index] {
            case 0x00...0x0D: break
            case 0x21...0x7E: bytes[index] = UInt8(ascii: "a") + letter % 26
            default: bytes[index] = 0x7F
            }
        }
    }
}
