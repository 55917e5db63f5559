extension AdvertisingData {
    /// A defect in advertising data. The raw value is the name under which it is counted.
    public enum Defect: String, Sendable, CaseIterable {
        /// A structure that claims more bytes than are left.
        case truncatedStructure = "truncated-structure"
        /// Bytes other than zero after a structure of length 0, which ends the data.
        case dataAfterEnd = "data-after-end"
        /// Two different identities of the same kind.
        case contradictoryIdentities = "contradictory-identities"
        /// Manufacturer data without room for a company identifier.
        case truncatedManufacturerData = "truncated-manufacturer-data"
        /// Service data without room for the UUID of the service.
        case truncatedServiceData = "truncated-service-data"
        /// A list of service UUIDs that ends with an incomplete UUID.
        case truncatedServiceList = "truncated-service-list"
        /// A local name of more than 248 bytes.
        case overLongName = "over-long-name"
        /// Apple's iBeacon prefix in a structure too short for UUID, major, minor and measured power.
        case truncatedIBeacon = "truncated-ibeacon"
        /// Apple's iBeacon prefix in a structure of more than 26 bytes (AD length 0x1A).
        case overLongIBeacon = "over-long-ibeacon"
        /// The AltBeacon code in a structure too short for identity, reference RSSI and the reserved byte.
        case truncatedAltBeacon = "truncated-altbeacon"
        /// The AltBeacon code in a structure of more than 27 bytes (AD length 0x1B).
        case overLongAltBeacon = "over-long-altbeacon"
        /// Exposure Notification service data that is not a 16-byte identifier and 4 bytes of metadata.
        case wrongExposureNotificationLength = "wrong-exposure-notification-length"
        /// An Eddystone frame whose length does not match its type.
        case wrongEddystoneLength = "wrong-eddystone-length"
        /// An Eddystone-URL with a scheme or byte that the format does not define.
        case invalidEddystoneURL = "invalid-eddystone-url"
        /// An Apple overflow area that does not have 16 bytes.
        case wrongOverflowLength = "wrong-overflow-length"
    }
}
