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
        let seesGateways = PageRoute.gateways.definition.access.allows(account.roles)
        let plain = request.frame("Overview", route: .overview)
        return page(
            try await api.work { store in
                var frame = plain
                if let unmatched = try service.unmatched(in: store) {
                    frame.notice = Frame.Notice(unmatched, isProblem: true)
                }
                let sentIn = try store.waitingResultCount()
                return OverviewPage(
                    frame, periods: try service.periods(now: now, in: store),
                    waiting: try store.waitingReportCount(), waitingPath: PageRoute.reports.path + "?state=waiting",
                    gateways: try service.gatewayCounts(withList: seesGateways, now: now, in: store),
                    reports: try ReportRows(text: text).rows(
                        store.reportList(waiting: false, before: nil, limit: Self.latestReports), in: store),
                    sentIn: sentIn == 0
                        ? nil : OfficerText.count(sentIn, "result sent in", "results sent in"))
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

    /// Counts gateways by state. Who does not see the list of gateways is led to the maps, which show their states.
    private func gatewayCounts(
        withList seesGateways: Bool, now: Int64, in store: InteractionStore
    ) throws -> OverviewPage.Gateways {
        let watch = api.gateways
        let known = KnownGateways(
            states: try store.gatewayStates(withStored: false), positions: try store.receiverPositions(), offsets: [:],
            working: try watch.working(in: store, now: now), reports: watch.reports)
        let counts = Dictionary(grouping: known.statuses(now: now), by: \.condition).mapValues(\.count)
        func path(_ condition: GatewayCondition) -> String {
            seesGateways ? PageRoute.gateways.path + "?state=" + condition.rawValue : PageRoute.floors.path
        }
        return OverviewPage.Gateways(
            working: counts[.receiving] ?? 0, path: path(.receiving),
            states: GatewayCondition.allCases.compactMap { condition in
                let count = counts[condition] ?? 0
                // That none is silent is news, too.
                let isShown = condition != .receiving && (count > 0 || condition == .silent)
                let tag = count > 0 ? condition.tag : StateTag(condition.tag.words, .plain)
                return isShown ? OverviewPage.GatewayState(tag, number: count, path: path(condition)) : nil
            })
    }

    /// Returns the beginning of the last days, of which today is one, in seconds since 1970.
    static func start(of number: Int64, now: Int64, _ days: CalendarDays) -> Int64 {
        days.start(of: days.day(of: now) - (number - 1))
    }
}
