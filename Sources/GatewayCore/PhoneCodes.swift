package import BeaconModel
package import HCI

/// Puts the code of a phone in the place of its app's name where the code is known from an exchange, and notes whom to
/// ask for one. Pure; costs nothing for advertisements of others.
package struct PhoneCodes: Sendable {
    /// Sightings of one batch that are told on; who isn't told of is heard again.
    private static let mostSightings = 256

    private let apps: Set<ContactApp>
    private var codes = ContactCodes()
    private var sightings: [ExchangeSighting] = []

    /// - Parameter apps: those to whose phones connections are made.
    package init(apps: Set<ContactApp>) {
        self.apps = apps
    }

    /// Who an advertisement says that it comes from, as far as it is known.
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

    /// The sightings since it was last asked.
    package mutating func takeSightings() -> [ExchangeSighting] {
        defer { sightings.removeAll(keepingCapacity: true) }
        return sightings
    }
}
