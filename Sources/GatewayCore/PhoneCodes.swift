package import BeaconModel
package import HCI

/// Replaces the name of a phone's app with the phone's code where an exchange has revealed it, and lists the phones to
/// ask for one. Pure; costs nothing for other advertisements.
package struct PhoneCodes: Sendable {
    /// Maximum number of sightings kept from one batch. A phone that is dropped is heard again.
    private static let mostSightings = 256

    private let apps: Set<ContactApp>
    private var codes = ContactCodes()
    private var sightings: [ExchangeSighting] = []

    /// - Parameter apps: the apps whose phones are connected to.
    package init(apps: Set<ContactApp>) {
        self.apps = apps
    }

    /// Returns the sender of an advertisement, as far as it is known.
    package mutating func resolve(_ identity: AdvertisedIdentity, _ report: AdvertisingReport) -> AdvertisedIdentity {
        guard case .contactApp(let app) = identity, apps.contains(app), let sighting = ExchangeSighting(app, report)
        else { return identity }
        if sightings.count < Self.mostSightings { sightings.append(sighting) }
        guard let code = codes.hear(sighting.peer, at: report.time) else { return identity }
        return .contactUser(app, code)
    }

    package mutating func learn(_ learned: [LearnedCode]) {
        for phone in learned { codes.insert(phone.code, for: phone.peer, at: phone.time) }
    }

    /// Returns the sightings since the last call.
    package mutating func takeSightings() -> [ExchangeSighting] {
        defer { sightings.removeAll(keepingCapacity: true) }
        return sightings
    }
}
