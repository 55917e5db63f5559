package import OperatorText

/// What counts as a contact, and what risk follows from it: data, with a name and a version that every verdict carries.
package struct Policy: Equatable, Sendable {
    package var name: String
    /// Changes with every change of a number.
    package var version: String
    /// One sentence for people.
    package var title: String
    /// Where the numbers are from.
    package var source: String
    /// Which minutes together are a contact; `nil`: only distances from beacons count.
    package var together: TogetherRule?
    /// Which co-locations at a beacon are a contact: with `together`, where a floor has one receiver or readings are missing.
    package var contact: ContactRule
    /// Precision and recall in the project's benchmark, of which a policy says how far it can be relied on.
    package var measured: [Measured] = []
    /// What people have to know before they rely on it.
    package var warning: String?
    /// Weights by attenuation; `nil`: minutes count as they are.
    package var attenuation: AttenuationRule?
    package var infectiousness: Infectiousness
    package var reportTypes: ReportTypeWeights
    package var risk: RiskRule
    /// By which days are counted: the site's. It isn't the policy's own, and no file says it.
    package var days: CalendarDays

    package init(
        name: String, version: String, title: String, source: String, together: TogetherRule? = nil,
        contact: ContactRule, measured: [Measured] = [], warning: String? = nil,
        attenuation: AttenuationRule? = nil, infectiousness: Infectiousness = Infectiousness(),
        reportTypes: ReportTypeWeights = ReportTypeWeights(), risk: RiskRule,
        days: CalendarDays = .utc
    ) {
        self.name = name
        self.version = version
        self.title = title
        self.source = source
        self.together = together
        self.contact = contact
        self.measured = measured
        self.warning = warning
        self.attenuation = attenuation
        self.infectiousness = infectiousness
        self.reportTypes = reportTypes
        self.risk = risk
        self.days = days
    }

    /// How well a policy answered a question in the benchmark of contacts.
    package struct Measured: Equatable, Sendable {
        /// What was taken for a contact, such as `6 m for 5 minutes in one room`.
        package var question: String
        package var world: String
        /// 0 to 1.
        package var precision: Double
        package var recall: Double

        package init(question: String, world: String, precision: Double, recall: Double) {
            self.question = question
            self.world = world
            self.precision = precision
            self.recall = recall
        }
    }
}
