import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import SignIn

extension PageService {
    private static let latestReports = 5
    /// Maximum number of exposed subjects that the first page counts.
    private static let mostCounted = 2000

    /// Shows officers what there is to do.
    func overview(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        try await note(.sawReport, "overview", request)
        let (service, now, text) = (self, request.now, officerText)
        let gatewaysPath =
            PageRoute.gateways.definition.access.allows(account.roles)
            ? PageRoute.gateways.path : PageRoute.floors.path
        let frame = request.frame("Overview", route: .overview)
        return page(
            try await api.work { store in
                OverviewPage(
                    frame, periods: try service.periods(now: now, in: store),
                    waiting: try store.waitingReportCount(), waitingPath: PageRoute.reports.path + "?state=waiting",
                    gateways: try service.gatewayCounts(path: gatewaysPath, now: now, in: store),
                    reports: try ReportRows(text: text).rows(
                        store.reportList(waiting: false, before: nil, limit: Self.latestReports), in: store))
            })
    }

    private func periods(now: Int64, in store: InteractionStore) throws -> [OverviewPage.Period] {
        let week = Self.start(of: 7, now: now, configuration.days)
        let today = Self.start(of: 1, now: now, configuration.days)
        let exposed = try ExposedPeople(
            since: week, limit: Self.mostCounted, policy: api.policy, now: now, in: store)
        let isCut = exposed.next != nil
        return [
            Self.period("Today", days: 1, exposed.entries.filter { $0.latest >= today }, isCut: isCut),
            Self.period("Last 7 days", days: 7, exposed.entries, isCut: isCut),
        ]
    }

    private static func period(
        _ label: String, days: Int64, _ entries: [ExposedPeople.Entry], isCut: Bool
    ) -> OverviewPage.Period {
        let path = PageRoute.exposures.path + "?days=\(days)"
        func shown(_ count: Int) -> String { isCut ? "\(count) or more" : "\(count)" }
        var levels = RiskLevel.allCases.reversed().map { level in
            let found = entries.filter { $0.risk?.level == level }
            let tag = OfficerText.risk(level, label: found.first?.risk?.label ?? "")
            return OverviewPage.Level(tag, count: shown(found.count), path: path + "&level=\(level.rawValue)")
        }
        let below = entries.count { $0.risk == nil }
        levels.append(.init(OfficerText.belowRisk, count: shown(below), path: path + "&level=none"))
        return OverviewPage.Period(label, total: shown(entries.count), path: path, levels: levels)
    }

    private func gatewayCounts(
        path: String, now: Int64, in store: InteractionStore
    ) throws -> OverviewPage.Gateways {
        let working = try api.gateways.working(in: store, now: now).gateways
        let states = try store.gatewayStates(withStored: false)
        let trusted = states.filter { $0.revocation == nil }
        let heard = trusted.count { working.contains($0.path) }
        return OverviewPage.Gateways(
            heard: heard, silent: trusted.count - heard, revoked: states.count - trusted.count, path: path)
    }

    /// Returns the beginning of the last days, of which today is one, in seconds since 1970.
    static func start(of number: Int64, now: Int64, _ days: CalendarDays) -> Int64 {
        days.start(of: days.day(of: now) - (number - 1))
    }
}
