import BeaconModel

/// Exposure Notification service data of Google and Apple (Bluetooth Specification 1.2, "Advertising Payload"): service
/// UUID 0xFD6F, 16 bytes of rolling proximity identifier, 4 bytes of encrypted metadata.
enum ExposureNotification: AdvertisementFormat {
    static func read(_ value: Span<UInt8>, into findings: inout Findings) {
        findings.further.hasServiceData = true
        guard value.count == 22 else { return findings.note(.wrongExposureNotificationLength) }
        findings.take(
            .exposureNotification(
                RollingProximityIdentifier(bits: value.bigEndian(UInt128.self, at: 2)),
                encryptedMetadata: value.bigEndian(UInt32.self, at: 18)),
            .exposureNotification)
    }
}
