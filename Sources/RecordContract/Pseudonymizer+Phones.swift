package import BeaconModel

extension Pseudonymizer {
    /// Returns the pseudonym under which the records of a day name a phone that transmits a code of its app.
    ///
    /// - Parameter day: UTC calendar day on which the interaction began, `YYYY-MM-DD`.
    package func pseudonym(ofUser code: UInt64, app: ContactApp, site: String, day: String) -> String {
        pseudonym(for: Self.identity(ofUser: code, app: app), site: site, day: day)
    }

    /// Returns the pseudonym under which the records of a day name a phone with Exposure Notification.
    ///
    /// - Parameter day: UTC calendar day on which the interaction began, `YYYY-MM-DD`.
    package func pseudonym(of identifier: RollingProximityIdentifier, site: String, day: String) -> String {
        pseudonym(for: identifier.description, site: site, day: day)
    }

    package static func identity(ofUser code: UInt64, app: ContactApp) -> String { "\(app.rawValue)/code/\(code)" }
}
