package import BeaconModel
import HCI

/// Replaces the name of a phone's app with the phone's code where an exchange has revealed it, and lists the phones to
/// ask for one. Pure; costs nothing for other advertisements.
package struct PhoneCodes: Sendable {
    private let apps: Set<ContactApp>
    private var codes = ContactCodes()

    /// - Parameter apps: the apps whose phones are connected to.
    package init(apps: Set<ContactApp>) {
        self.apps = apps
    }

    /// Returns the sender of an advertisement, as far as it is known.
    ///
    /// - Parameter output: receives the phone, if it can be asked for its code.
    package mutating func resolve(
        _ identity: AdvertisedIdentity, _ report: AdvertisingReport, into output: inout IngestOutput
    ) -> AdvertisedIdentity {
        guard case .contactApp(let app) = identity, apps.contains(app), let sighting = ExchangeSighting(app, report)
        else { return identity }
        if output.phones.count < IngestOutput.mostPhones { output.phones.append(sighting) }
        guard let code = codes.hear(sighting.peer, at: report.time) else { return identity }
        return .contactUser(app, code)
    }

    package mutating func learn(_ phone: LearnedCode) { codes.insert(phone.code, for: phone.peer, at: phone.time) }
}
