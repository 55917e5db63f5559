import InteractionStore
import MatcherCore
import Matching
import Pages

extension PageService {
    /// Lists people who were exposed lately, over all reports.
    func exposures(_ request: PageRequest) async throws -> PageAnswer {
        let filter = ExposureFilter(request.query)
        let (days, level, known) = (filter.days, filter.level, ExposureFilter.levels)
        try await note(.sawExposures, "of \(days) days" + (level.map { ", \($0)" } ?? ""), request)
        let (service, now, text) = (self, request.now, officerText)
        let (found, entries, lasts, places, names, reports, recipients, unmatched) = try await api.work { store in
            let (found, entries) = try service.exposed(filter, now: now, in: store)
            let (shown, all) = (Set(entries.map(\.subject)), Set(entries.flatMap(\.subjects)))
            let since = Self.start(of: filter.days, now: now, service.configuration.days)
            let lasts = try store.latestExposures(of: shown)
            let places = try store.places(Set(lasts.values.map(\.place)))
            return (
                found, entries, lasts, places, try ShownNames(shown, in: store),
                try store.reportCounts(of: all, since: since),
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
                        reports: String(entry.subjects.compactMap { reports[$0] }.max() ?? 0),
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

    /// Returns a sentence on reports of which nobody has looked yet who was exposed; `nil` if there are none.
    ///
    /// - Throws: `StoreError`.
    func unmatched(in store: InteractionStore) throws -> String? {
        let types = ReportType.allCases.filter { api.policy.reportTypes[$0] > 0 }
        let count = try store.unmatchedReportCount(of: types)
        if count == 0 { return nil }
        return OfficerText.count(count, "report is", "reports are")
            + " not matched yet, so more people may have been exposed. " + ReportContents.whenMatched
    }
}
