import BeaconModel

/// Further: it lists the service 0xFD6F, which isn't its own, and a 128-bit UUID that is its user's, under the name
/// `further_app` (`PersonDetectee.swift` of the app, 2020).
///
/// An iPhone has 28 bytes for an advertisement's services and puts a name that doesn't fit into the scan response, of
/// which 10 bytes hold a name (Apple, CBPeripheralManager `startAdvertising(_:)`). Both lists leave no room for the
/// name, so a passive scan never hears it: assumed is that whoever lists 0xFD6F and a UUID of no known service,
/// without service data of 0xFD6F, is Further. Phones with Exposure Notification have the service data always and list
/// no 128-bit UUID.
enum FurtherFormat {
    struct Signs {
        var listsService = false
        var hasServiceData = false
        var isNamed = false
        /// The first half of the first UUID that is no known service's.
        var user: UInt64?

        var arePossible: Bool { listsService || isNamed }
    }

    static func identity(_ signs: Signs) -> AdvertisedIdentity? {
        let isNamed = signs.isNamed && (signs.listsService || signs.hasServiceData)
        guard isNamed || (signs.listsService && !signs.hasServiceData && signs.user != nil) else { return nil }
        return signs.user.map { .contactUser(.further, $0) } ?? .contactApp(.further)
    }
}
