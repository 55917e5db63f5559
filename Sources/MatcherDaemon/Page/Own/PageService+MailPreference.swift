import InteractionStore
import MatcherCore
import Pages
import People
import SignIn

// Whether a person wants notices by e-mail.
extension PageService {
    /// Sets whether the person who is signed in wants notices by e-mail.
    func setMailPreference(_ request: PageRequest) async throws -> PageAnswer {
        guard let number = try ownNumber(request) else {
            throw PageError.invalid(
                "Your account has no student or staff number, so nothing was saved.",
                "Ask the person who manages the accounts of your institution to add it.")
        }
        let wants = request.form["mail"] == "yes"
        // Whoever wants none any more can say so even if e-mail is not set up.
        if wants, configuration.mail == nil {
            throw PageError.invalid(
                "E-mail is not set up here, so nothing was saved.", "Look at your status on this page.")
        }
        let now = request.now
        let isKnown = try await api.work { try $0.setWantsMail(wants, number: number, now: now) }
        guard isKnown else {
            throw PageError.invalid(
                "Your number is not in the register of people, so nothing was saved.",
                "Write to the person who runs this service.")
        }
        return .redirect(PageRoute.me.path(done: wants ? .wantsMail : .wantsNoMail))
    }

    /// Returns whether somebody in the register wants e-mails, as the person's own page shows it.
    func mailPreference(of person: Person, isOn: Bool) -> MePage.MailPreference {
        guard configuration.mail != nil else { return MePage.MailPreference(obstacle: "E-mail is not set up here.") }
        guard let address = MailContact.address(in: person.contact) else {
            return MePage.MailPreference(
                obstacle: "The register has no e-mail address for you. Write to the person who runs this service if "
                    + "you want notices by e-mail.")
        }
        return MePage.MailPreference(address: address.description, isOn: isOn)
    }
}
