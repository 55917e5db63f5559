package import BeaconModel

/// Temporary identifier of a phone's app.
package enum RotatingCode: Equatable, Sendable {
    case user(ContactApp, UInt64)
    case exposureNotification(RollingProximityIdentifier)

    static let exposureNotificationKind = AdvertisedIdentity.Kind.exposureNotification.name

    /// Kind of the identifier, as in records.
    package var kind: String {
        switch self {
        case .user(let app, _): app.rawValue
        case .exposureNotification: Self.exposureNotificationKind
        }
    }

    package var text: String {
        switch self {
        case .user(_, let code): String(code)
        case .exposureNotification(let identifier): identifier.description
        }
    }
}
