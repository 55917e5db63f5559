import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

// Notices by letter and e-mail.
extension PageService {
    /// Maximum number of letters on a page.
    private static let mostLetters = 200

    /// Shows the letters to the people whom a report exposed, or to those of a list of exposures, for printing.
    func letters(_ request: PageRequest) async throws -> PageAnswer {
        let reference = request.query["report"]
        let filter = ExposureFilter(request.query)
        let (service, now, last) = (self, request.now, request.query["last"])
        let found = try await api.work { store -> (people: NoticeRecipients, letters: Letters)? in
            guard let people = try service.recipients(reference, filter, now: now, in: store) else { return nil }
            return (people, try service.letters(to: people, after: last, now: now, in: store))
        }
        guard let found else { throw try await gone(reference ?? "") }
        let letters = found.letters.letters
        let count = OfficerText.count(letters.count, "letter", "letters")
        try await note(.printedLetters, reference ?? "exposures of \(filter.days) days", request, detail: count)
        var remarks: [String] = []
        let isPart = last != nil || found.letters.next != nil
        if isPart {
            remarks.append(
                "These are not all: letters to \(OfficerText.count(found.people.recipients.count, "person", "people")) "
                    + "are on pages of at most \(Self.mostLetters), in the order of the people's numbers."
                    + (found.letters.next == nil ? " This is the last page." : " Print each page."))
        }
        if let remark = found.people.remark { remarks.append(remark) }
        if found.people.unregistered > 0 {
            remarks.append(
                OfficerText.count(found.people.unregistered, "badge or phone belongs", "badges or phones belong")
                    + " to nobody in the register, so there is no letter.")
        }
        let path =
            reference.map { PageRoute.letters.path(["report": $0]) } ?? PageRoute.letters.path + "?" + filter.query
        return page(
            LettersPage(
                request.frame("Letters", route: reference == nil ? .exposures : .reports),
                summary: "There \(letters.count == 1 ? "is" : "are") \(count)\(isPart ? " on this page" : "").",
                remarks: remarks, letters: letters,
                back: reference.map(ReportRows.path) ?? PageRoute.exposures.path + "?" + filter.query,
                next: found.letters.next.map { "\(path)&last=" + FormFields.encode($0) }))
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
        let exposed = try ExposedByReport(report.number, in: store)
        var recipients = try NoticeRecipients(exposed.subjects, in: store)
        recipients.remark = exposed.remark
        return recipients
    }

    /// A page of letters.
    private struct Letters: Sendable {
        var letters: [LettersPage.Letter]
        /// Number of the last person of the page if there are more; the next page begins after it.
        var next: String?
    }

    /// Returns the letters of a page, in the order of the people's numbers: whoever is taken out of the register while
    /// the pages are printed moves nobody to a page that was printed before.
    ///
    /// - Parameter last: the last number of the page before; `nil` for the first page.
    /// - Throws: `StoreError`.
    private func letters(
        to people: NoticeRecipients, after last: String?, now: Int64, in store: InteractionStore
    ) throws -> Letters {
        let date = officerText.day(configuration.days.day(of: now))
        let (part, next) = people.part(after: last, limit: Self.mostLetters)
        let letters = try part.compactMap { person -> LettersPage.Letter? in
            let letter = try NoticeLetter(to: person, telling: api.telling, configuration, now: now, in: store)
            return letter.map {
                LettersPage.Letter(
                    name: $0.name, number: person.number, date: date, findings: $0.findings, days: $0.days,
                    steps: $0.steps, reason: NoticeLetter.reason, sender: $0.sender)
            }
        }
        return Letters(letters: letters, next: next)
    }
}
