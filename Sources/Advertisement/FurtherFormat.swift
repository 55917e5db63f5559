import BeaconModel

/// The Further app. It lists the service 0xFD6F, which is not its own, and a 128-bit UUID that belongs to its user,
/// under the name `further_app` (`PersonDetectee.swift` of the app, 2020).
///
/// An iPhone has 28 bytes for the services in an advertisement. A name that does not fit goes into the scan response,
/// which has 10 bytes for a name (Apple, CBPeripheralManager `startAdvertising(_:)`). Both lists leave no room for the
/// name, so a passive scan never receives it. A sender is therefore assumed to be Further if it lists 0xFD6F and a UUID
/// of no known service, without service data of 0xFD6F. Phones with Exposure Notification always send the service data
/// and list no 128-bit UUID.
enum FurtherFormat {
    struct Signs {
        var listsService = false
        var hasServiceData = false
        var isNamed = false
        /// First half of the first UUID that belongs to no known service.
        var user: UInt64?

        var arePossible: Bool { listsService || isNamed }
    }

    static func identity(_ signs: Signs) -> AdvertisedIdentity? {
        let isNamed = signs.isNamed && (signs.listsService || signs.hasServiceData)
        guard isNamed || (signs.listsService && !signs.hasServiceData && signs.user != nil) else { return nil }
        return signs.user.map { .contactUser(.further, $0) } ?? .contactApp(.further)
    }
}
