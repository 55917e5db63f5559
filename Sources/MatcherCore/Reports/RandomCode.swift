import BeaconModel
import OperatorText

/// A code that is derived from nothing: only its sender can have committed to it before.
struct RandomCode: Equatable, Sendable {
    var app: ContactApp
    var value: UInt64

    var rotating: RotatingCode { .user(app, value) }

    /// Reads a code.
    ///
    /// - Throws: `APIError` if it is invalid, or if its app derives codes from a key or seed: any receiver nearby may
    ///   have overheard it.
    init(_ code: ReportRequest.Code, _ place: String) throws(APIError) {
        app = try Self.app(code.app, "\(place).app")
        guard let value = UInt64(code.code) else {
            throw .invalid("\(place).code", "found \(code.code.excerpt)", "must be a whole number of 64 bits")
        }
        self.value = value
    }

    static func app(_ text: String, _ place: String) throws(APIError) -> ContactApp {
        let derived = [
            RotatingCode.exposureNotificationKind: "keys", ContactApp.c19x.rawValue: "seeds",
        ]
        if let member = derived[text] {
            throw .invalid(
                place, "found \(text.excerpt), whose codes anyone nearby may have received",
                "must be another scheme: send \(member) instead, from which the codes are derived")
        }
        guard let app = ContactApp(rawValue: text) else {
            let known = ContactApp.allCases.map(\.rawValue).filter { derived[$0] == nil }
            throw .invalid(place, "found \(text.excerpt)", "must be one of \(known.joined(separator: ", "))")
        }
        return app
    }
}
