import BeaconModel

/// Google and Apple's Exposure Notification service data (Bluetooth Specification 1.2, "Advertising Payload"):
/// service UUID 0xFD6F, 16 bytes rolling proximity identifier, 4 bytes encrypted metadata.
enum ExposureNotification {
    static func isPrefix(of value: Span<UInt8>) -> Bool {
        value.count >= 2 && value[0] == 0x6F && value[1] == 0xFD
    }

    /// Reads service data of UUID 0xFD6F; `nil` when it hasn't the length of the specification.
    static func decode(_ value: Span<UInt8>) -> AdvertisedIdentity? {
        guard value.count == 22 else { return nil }
        return .exposureNotification(RollingProximityIdentifier(bits: value.bigEndian(UInt128.self, at: 2)))
    }
}
