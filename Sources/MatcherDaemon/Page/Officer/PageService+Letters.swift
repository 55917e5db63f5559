import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

// Notices by letter and e-mail.
extension PageService {
    /// Maximum number of exposures of a report whose people are told.
    private static let mostExposures = 500

    /// Shows the letters to the people whom a report exposed, or to those of a list of exposures, for printing.
    func letters(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.query["report"]
        let filter = ExposureFilter(request.query)
        let (service, now) = (self, request.now)
        let found = try await api.work { store -> (people: NoticeRecipients, letters: [LettersPage.Letter])? in
            guard let people = try service.recipients(reference, filter, now: now, in: store) else { return nil }
            return (people, try service.letters(to: people, now: now, in: store))
        }
        guard let found else { throw try await gone(reference ?? "") }
        let count = OfficerText.count(found.letters.count, "letter", "letters")
        try await note(.printedLetters, reference ?? "exposures of \(filter.days) days", request, detail: count)
        var remarks: [String] = []
        if found.people.unregistered > 0 {
            remarks.append(
                OfficerText.count(found.people.unregistered, "badge or phone belongs", "badges or phones belong")
                    + " to nobody in the register, so there is no letter.")
        }
        return page(
            LettersPage(
                request.frame("Letters", route: reference == nil ? .exposures : .reports),
                summary: "There \(found.letters.count == 1 ? "is" : "are") \(count).", remarks: remarks,
                letters: found.letters,
                back: reference.map(ReportRows.path) ?? PageRoute.exposures.path + "?" + filter.query))
    }

    /// Orders e-mails to the people whom a report exposed.
    func sendReport(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.parameters["report"] ?? ""
        let count = try await order(reference, ExposureFilter([:]), request)
        guard let count else { throw try await gone(reference) }
        return .redirect(ReportRows.path(reference) + "?" + Self.done(count).query)
    }

    /// Orders e-mails to the people of a list of exposures.
    func sendExposures(_ request: PageRequest) async throws -> PageAnswer {
        let filter = ExposureFilter(request.form)
        let count = try await order(nil, filter, request) ?? 0
        return .redirect(PageRoute.exposures.path + "?\(filter.query)&\(Self.done(count).query)")
    }

    private static func done(_ count: Int) -> DoneNotice { count > 0 ? .mailOrdered : .noMail }

    /// Orders e-mails, to all who need one or to the person of the form.
    ///
    /// - Returns: the number of e-mails; `nil` if there is no such report.
    private func order(_ reference: String?, _ filter: ExposureFilter, _ request: PageRequest) async throws -> Int? {
        guard configuration.mail != nil else {
            throw PageError.invalid(
                "E-mail is not set up here, so nothing was sent.", "Print letters, or ask for a mail server.")
        }
        let (service, now, number) = (self, request.now, request.form["person"])
        let account = try request.account()
        return try await api.work { store -> Int? in
            guard let people = try service.recipients(reference, filter, now: now, in: store) else { return nil }
            return try store.orderMail(to: people.chosen(number: number), kind: .officer, now: now) { count in
                AuditEntry(
                    at: now, account: account, action: .sentMail,
                    object: reference ?? "exposures of \(filter.days) days",
                    detail: OfficerText.count(count, "person", "people"))
            }
        }
    }

    /// Reads the people whom a report exposed or, without one, those of a list of exposures.
    ///
    /// - Returns: `nil` if there is no such report.
    /// - Throws: `StoreError`.
    private func recipients(
        _ reference: String?, _ filter: ExposureFilter, now: Int64, in store: InteractionStore
    ) throws -> NoticeRecipients? {
        guard let reference else {
            return try NoticeRecipients(
                Set(try exposed(filter, now: now, in: store).entries.map(\.subject)), in: store)
        }
        guard let report = try store.storedReport(reference)?.report else { return nil }
        let exposures = try store.exposures(ofReport: report.number, limit: Self.mostExposures)
        return try NoticeRecipients(Set(exposures.map(\.subject)), in: store)
    }

    private func letters(
        to people: NoticeRecipients, now: Int64, in store: InteractionStore
    ) throws -> [LettersPage.Letter] {
        let date = officerText.day(configuration.days.day(of: now))
        return try people.recipients.compactMap { recipient in
            let letter = try NoticeLetter(
                to: recipient.person, telling: api.telling, configuration, now: now, in: store)
            return letter.map {
                LettersPage.Letter(
                    name: $0.name, number: recipient.person.number, date: date, findings: $0.findings, days: $0.days,
                    steps: $0.steps, reason: NoticeLetter.reason, sender: $0.sender)
            }
        }
    }
}
