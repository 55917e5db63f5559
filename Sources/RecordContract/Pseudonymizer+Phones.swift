package import BeaconModel

extension Pseudonymizer {
    /// The id under which records of a day name a phone that says a code of its app.
    ///
    /// - Parameter day: UTC calendar day on which the interaction began, `YYYY-MM-DD`.
    package func pseudonym(ofUser code: UInt64, app: ContactApp, site: String, day: String) -> String {
        pseudonym(for: Self.identity(ofUser: code, app: app), site: site, day: day)
    }

    /// The id under which records of a day name a phone with Exposure Notification.
    ///
    /// - Parameter day: UTC calendar day on which the interaction began, `YYYY-MM-DD`.
    package func pseudonym(of identifier: RollingProximityIdentifier, site: String, day: String) -> String {
        pseudonym(for: identifier.description, site: site, day: day)
    }

    package static func identity(ofUser code: UInt64, app: ContactApp) -> String { "\(app.rawValue)/code/\(code)" }
}
