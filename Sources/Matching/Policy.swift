public import OperatorText

/// What counts as a contact, and what risk follows from it: data, with a name and a version that every verdict carries.
public struct Policy: Equatable, Sendable {
    public var name: String
    /// Changes with every change of a number.
    public var version: String
    /// One sentence for people.
    public var title: String
    /// Where the numbers are from.
    public var source: String
    public var contact: ContactRule
    /// Weights by attenuation; `nil`: minutes count as they are.
    public var attenuation: AttenuationRule?
    public var infectiousness: Infectiousness
    public var reportTypes: ReportTypeWeights
    public var risk: RiskRule
    /// By which days are counted: the site's. It isn't the policy's own, and no file says it.
    public var days: CalendarDays

    public init(
        name: String, version: String, title: String, source: String, contact: ContactRule,
        attenuation: AttenuationRule? = nil, infectiousness: Infectiousness = Infectiousness(),
        reportTypes: ReportTypeWeights = ReportTypeWeights(), risk: RiskRule,
        days: CalendarDays = .utc
    ) {
        self.name = name
        self.version = version
        self.title = title
        self.source = source
        self.contact = contact
        self.attenuation = attenuation
        self.infectiousness = infectiousness
        self.reportTypes = reportTypes
        self.risk = risk
        self.days = days
    }
}
