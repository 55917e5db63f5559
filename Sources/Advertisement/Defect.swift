extension AdvertisingData {
    /// What can be wrong with advertising data, by the names under which it is counted.
    public enum Defect: String, Sendable, CaseIterable {
        /// A structure claims more bytes than are left.
        case truncatedStructure = "truncated-structure"
        /// A structure of length 0 ended the data, and bytes other than zero follow.
        case dataAfterEnd = "data-after-end"
        /// Two identities of one kind that differ.
        case contradictoryIdentities = "contradictory-identities"
        /// Manufacturer data without room for a company identifier.
        case truncatedManufacturerData = "truncated-manufacturer-data"
        /// Service data without room for the UUID of the service.
        case truncatedServiceData = "truncated-service-data"
        /// A list of service UUIDs that doesn't end with a whole one.
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
        /// Exposure Notification service data that isn't a 16-byte identifier and 4 bytes of metadata.
        case wrongExposureNotificationLength = "wrong-exposure-notification-length"
        /// An Eddystone frame of another length than its type has.
        case wrongEddystoneLength = "wrong-eddystone-length"
        /// An Eddystone-URL with a scheme or a byte that the format doesn't have.
        case invalidEddystoneURL = "invalid-eddystone-url"
        /// Apple's overflow area without its 16 bytes.
        case wrongOverflowLength = "wrong-overflow-length"
    }
}
