import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People

extension PageService {
    private static let mostExposures = 100
    private static let mostReportsOfOne = 20

    /// Shows a person of the register, or a badge or phone that is not in it.
    func person(_ request: PageRequest) async throws -> PageAnswer {
        let number = request.query["number"]
        let subject = request.query["subject"].flatMap { SubjectIdentity($0) }
        let showsStays = request.query["stays"] == "1"
        let showsReasons = request.query["why"] == "1"
        let details = [showsStays ? "rooms" : nil, showsReasons ? "reasons" : nil].compactMap(\.self)
        try await note(
            .sawPerson, number ?? subject?.description ?? "", request,
            detail: details.isEmpty ? "" : "with " + details.joined(separator: " and "))
        let found = try await api.work { store -> (person: Person?, subjects: [SubjectIdentity])? in
            if let number {
                guard let person = try store.person(number: number) else { return nil }
                return (person, person.subjects)
            }
            guard let subject else { return nil }
            let person = try store.people(of: [subject])[subject]
            return (person, person?.subjects ?? [subject])
        }
        guard let (person, subjects) = found else {
            throw PageError(
                .notFound, "No such person", "Nobody in the register of people has this number.",
                "Search for the person by name.")
        }
        let title = person?.name ?? subjects.first.map { "\(ShownNames.kind($0)) without a known owner" } ?? "Person"
        let frame = request.frame(title, route: .people)
        let named = person?.number ?? subjects.first?.description ?? ""
        let (service, now) = (self, request.now)
        let path = PageRoute.person.path([person == nil ? "subject" : "number": named])
        var shown = try await api.work { store in
            var shown = try service.personPage(
                frame, person, subjects,
                newReportPath: PageRoute.newReport.path(["person": named]), now: now, in: store)
            if showsStays {
                shown.page.stays = try service.stays(of: subjects, now: now, in: store)
            } else {
                shown.page.staysPath = path + (showsReasons ? "&why=1" : "") + "&stays=1"
            }
            return shown
        }
        if showsReasons {
            let reasons = try await self.reasons(of: shown.exposures, to: subjects, now: now)
            shown.page.explain(
                shown.exposures.map { reasons.reason(of: $0.exposure, by: $0.report) }, reasons.remarks)
        } else if shown.page.hasExposures {
            shown.page.reasonsPath = path + (showsStays ? "&stays=1" : "") + "&why=1#exposures"
        }
        return page(shown.page)
    }

    private func personPage(
        _ frame: Frame, _ person: Person?, _ subjects: [SubjectIdentity], newReportPath: String, now: Int64,
        in store: InteractionStore
    ) throws -> (page: PersonPage, exposures: [(exposure: ExposureSummary, report: String)]) {
        let text = officerText
        var found: [(exposure: ExposureSummary, report: String)] = []
        var stored: [Int64: StoredReport] = [:]
        var risk: (level: RiskLevel, label: String)?
        for subject in subjects {
            found += try store.reportedExposures(of: subject, limit: Self.mostExposures + 1)
            for report in try store.storedReports(of: subject, limit: Self.mostReportsOfOne) {
                stored[report.report.number] = report
            }
            guard let own = try ExposedPeople.risk(of: subject, policy: api.policy, now: now, in: store) else {
                continue
            }
            if risk.map({ $0.level < own.level }) ?? true { risk = own }
        }
        found.sort { $0.exposure.end > $1.exposure.end }
        let listed = Array(found.prefix(Self.mostExposures))
        let places = try store.places(Set(listed.map(\.exposure.place)))
        let states = try store.noticeStates(of: Set(subjects))
        let reports = stored.values.sorted { $0.report.number > $1.report.number }
        let notified = subjects.compactMap { subject in
            states[subject].map { "\(ShownNames.kind(subject)): \(text.notified($0, of: subject))" }
        }
        let page = PersonPage(
            frame,
            person: person.map { .init(name: $0.name, number: $0.number, contact: $0.contact) },
            devices: subjects.map { .init(ShownNames.kind($0), id: $0.id) },
            risk: risk.map { OfficerText.risk($0.level, label: $0.label) }
                ?? OfficerTag(found.isEmpty ? "none known" : OfficerText.belowRisk.text),
            notified: notified.isEmpty ? ["There was nothing to notify."] : notified,
            exposures: listed.map { exposure, report in
                .init(
                    when: text.span(exposure.start, exposure.end), minutes: ExposureWords.minutes(exposure.minutes),
                    place: text.place(places[exposure.place]), device: ShownNames.kind(exposure.subject),
                    reportPath: ReportRows.path(report))
            },
            hasMore: found.count > listed.count, reports: try ReportRows(text: text).rows(reports, in: store),
            newReportPath: newReportPath)
        return (page, listed)
    }
}

extension PersonPage {
    /// Adds the reasons of the exposures, in the order of the list.
    fileprivate mutating func explain(_ reasons: [ExposureReasons.Reason], _ remarks: [String]) {
        hasReasons = true
        reasonRemarks = remarks
        for (index, reason) in zip(exposures.indices, reasons) {
            exposures[index].near = reason.near
            exposures[index].why = reason.why
        }
    }
}
