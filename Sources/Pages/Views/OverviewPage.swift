/// First page of officers: numbers that lead to their lists.
package struct OverviewPage: PageContent {
    package static let template = PageTemplate.overview
    package var frame: Frame
    package var periods: [Period]
    /// Number of reports that wait for a decision.
    package var waiting: String
    package var waitingPath: String
    /// Number of results that people sent in and that wait, in words; `nil` without any.
    package var sentIn: String?
    package var gateways: Gateways
    /// The latest reports.
    package var reports: [ReportRow]

    /// People who were exposed in a period.
    package struct Period: Equatable, Sendable {
        package var label: String
        package var total: String
        package var path: String
        package var levels: [Level]

        package init(_ label: String, total: String, path: String, levels: [Level]) {
            self.label = label
            self.total = total
            self.path = path
            self.levels = levels
        }
    }

    /// Number of people with a level of risk.
    package struct Level: Equatable, Sendable {
        package var tag: OfficerTag
        package var count: String
        package var levelPath: String

        package init(_ tag: OfficerTag, count: String, path: String) {
            self.tag = tag
            self.count = count
            levelPath = path
        }
    }

    /// Gateways by state.
    package struct Gateways: Equatable, Sendable {
        /// Number of those that work.
        package var working: String
        package var workingPath: String
        /// The other states, the worst first.
        package var states: [GatewayState]

        package init(working: Int, path: String, states: [GatewayState]) {
            self.working = String(working)
            workingPath = path
            self.states = states
        }
    }

    /// Number of gateways in a state.
    package struct GatewayState: Equatable, Sendable {
        package var state: StateTag
        package var number: String
        package var statePath: String

        package init(_ state: StateTag, number: Int, path: String) {
            self.state = state
            self.number = String(number)
            statePath = path
        }
    }

    package init(
        _ frame: Frame, periods: [Period], waiting: Int, waitingPath: String, gateways: Gateways, reports: [ReportRow],
        sentIn: String? = nil
    ) {
        self.frame = frame
        self.periods = periods
        self.waiting = String(waiting)
        self.waitingPath = waitingPath
        self.gateways = gateways
        self.reports = reports
        self.sentIn = sentIn
    }
}
