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
        let (found, entries, recipients) = try await api.work { store in
            let (found, entries) = try service.exposed(filter, now: now, in: store)
            return (found, entries, try NoticeRecipients(Set(entries.map(\.subject)), in: store))
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
                summary: "\(count) exposed \(span)" + (isPart ? ", in this part of the list." : "."),
                people: entries.map { entry in
                    .init(
                        person: found.names.link(entry.subject), risk: entry.tag, latest: text.time(entry.latest),
                        reports: String(entry.reports), notified: text.notified(entry.notice, of: entry.subject),
                        contact: found.names.contact(entry.subject))
                },
                older: found.next.map {
                    "\(path)?days=\(days)\(filtered)&after=" + FormFields.encode("\($0.latest) \($0.subject)")
                },
                notices: NoticesPart(
                    recipients, lettersPath: PageRoute.letters.path + "?" + filter.query,
                    sendPath: PageRoute.sendExposures.path, fields: filter.fields, hasMail: configuration.mail != nil,
                    text: text)))
    }
}
