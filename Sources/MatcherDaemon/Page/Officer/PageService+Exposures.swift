import InteractionStore
import MatcherCore
import Matching
import Pages
import People

extension PageService {
    /// Lists people who were exposed lately, over all reports.
    func exposures(_ request: PageRequest) async throws -> PageAnswer {
        let filter = ExposureFilter(request.query)
        let (days, level, known) = (filter.days, filter.level, ExposureFilter.levels)
        try await note(.sawExposures, "of \(days) days" + (level.map { ", \($0)" } ?? ""), request)
        let (service, now, text) = (self, request.now, officerText)
        let (found, entries, lasts, places, names, reports, recipients, unmatched) = try await api.work { store in
            let (found, entries) = try service.exposed(filter, now: now, in: store)
            let shown = Set(entries.map(\.subject))
            let since = Self.start(of: filter.days, now: now, service.configuration.days)
            let lasts = try store.latestExposures(of: shown)
            let places = try store.places(Set(lasts.values.map(\.place)))
            return (
                found, entries, lasts, places, try ShownNames(shown, in: store),
                try Self.reportCounts(of: entries, since: since, in: store),
                try NoticeRecipients(shown, in: store), try service.unmatched(in: store)
            )
        }
        let path = PageRoute.exposures.path
        let filtered = level.map { "&level=\($0)" } ?? ""
        let count = OfficerText.count(entries.count, "person was", "people were")
        let span = days == 1 ? "today" : "in the last \(days) days"
        let isPart = found.next != nil || filter.position != nil
        return page(
            ExposuresPage(
                request.frame("Exposures", route: .exposures),
                filters: ExposureFilter.periods.map {
                    ReportsPage.Filter(
                        $0 == 1 ? "Today" : "Last \($0) days", path: "\(path)?days=\($0)\(filtered)",
                        isChosen: $0 == days)
                },
                levels: [ReportsPage.Filter("All levels", path: "\(path)?days=\(days)", isChosen: level == nil)]
                    + known.map { name in
                        ReportsPage.Filter(
                            name == "none" ? OfficerText.belowRisk.text : name,
                            path: "\(path)?days=\(days)&level=\(name)", isChosen: name == level)
                    },
                summary: "\(count) exposed \(span)" + (isPart ? ", in this part of the list." : ".")
                    + (unmatched.map { " " + $0 } ?? ""),
                people: entries.map { entry in
                    let last = lasts[entry.subject]
                    return ExposuresPage.Row(
                        person: names.link(entry.subject), risk: entry.tag, latest: text.time(entry.latest),
                        minutes: last.map { ExposureWords.minutes($0.minutes) } ?? "not known",
                        place: text.place(last.flatMap { places[$0.place] }),
                        reports: String(reports[entry.subject] ?? 0),
                        notified: text.notified(entry.notice, of: entry.subject),
                        contact: names.contact(entry.subject))
                },
                older: found.next.map {
                    "\(path)?days=\(days)\(filtered)&after=" + FormFields.encode("\($0.latest) \($0.subject)")
                },
                notices: NoticesPart(
                    recipients, lettersPath: PageRoute.letters.path + "?" + filter.query,
                    sendPath: PageRoute.sendExposures.path, fields: filter.fields, hasMail: configuration.mail != nil,
                    webhook: configuration.notices.webhook,
                    text: text)))
    }

    /// Counts by how many reports each person was exposed, with all badges and phones of the person: one report can
    /// expose several of them.
    ///
    /// - Returns: numbers of reports by the subject of the entry.
    /// - Throws: `StoreError`.
    private static func reportCounts(
        of entries: [ExposedPeople.Entry], since time: Int64, in store: InteractionStore
    ) throws -> [SubjectIdentity: Int] {
        let people = try store.people(of: Set(entries.map(\.subject)))
        var subjects: [SubjectIdentity: Set<SubjectIdentity>] = [:]
        for entry in entries { subjects[entry.subject] = entry.subjects.union(people[entry.subject]?.subjects ?? []) }
        let reports = try store.reports(
            exposing: subjects.values.reduce(into: Set<SubjectIdentity>()) { $0.formUnion($1) }, since: time)
        return subjects.mapValues { own in
            own.reduce(into: Set<Int64>()) { $0.formUnion(reports[$1] ?? []) }.count
        }
    }

    /// Returns the number of reports of which nobody has looked yet who was exposed.
    ///
    /// - Throws: `StoreError`.
    func unmatchedCount(in store: InteractionStore) throws -> Int {
        try store.unmatchedReportCount(of: ReportType.allCases.filter { api.policy.reportTypes[$0] > 0 })
    }

    /// Returns a sentence on reports of which nobody has looked yet who was exposed; `nil` if there are none.
    ///
    /// - Throws: `StoreError`.
    func unmatched(in store: InteractionStore) throws -> String? {
        let count = try unmatchedCount(in: store)
        if count == 0 { return nil }
        return OfficerText.count(count, "report is", "reports are")
            + " not matched yet, so more people may have been exposed. " + ReportContents.whenMatched
    }
}
