import BeaconModel
import OperatorText

/// By what a phone's app is known for a time.
enum RotatingCode: Equatable, Sendable {
    case user(ContactApp, UInt64)
    case exposureNotification(RollingProximityIdentifier)

    init(_ code: ReportRequest.Code, _ place: String) throws(APIError) {
        if code.app == Self.exposureNotificationKind {
            guard code.code.utf8.count == 32, let bits = UInt128(code.code, radix: 16) else {
                throw .invalid("\(place).code", "found \(code.code.excerpt)", "must be 32 hexadecimal digits")
            }
            self = .exposureNotification(RollingProximityIdentifier(bits: bits))
            return
        }
        guard let app = ContactApp(rawValue: code.app) else {
            let known = ContactApp.allCases.map(\.rawValue) + [Self.exposureNotificationKind]
            throw .invalid(
                "\(place).app", "found \(code.app.excerpt)", "must be one of \(known.joined(separator: ", "))")
        }
        guard let value = UInt64(code.code) else {
            throw .invalid("\(place).code", "found \(code.code.excerpt)", "must be a whole number of 64 bits")
        }
        self = .user(app, value)
    }

    private static let exposureNotificationKind = AdvertisedIdentity.Kind.exposureNotification.name

    /// As in records.
    var kind: String {
        switch self {
        case .user(let app, _): app.rawValue
        case .exposureNotification: Self.exposureNotificationKind
        }
    }

    var text: String {
        switch self {
        case .user(_, let code): String(code)
        case .exposureNotification(let identifier): identifier.description
        }
    }
}
