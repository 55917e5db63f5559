package import OperatorText

/// Rules for what counts as a contact and what risk follows from it. A policy is data, and every verdict carries its
/// name and version.
package struct Policy: Equatable, Sendable {
    package var name: String
    /// Version; it changes with every change of a number.
    package var version: String
    /// Description for people, in one sentence.
    package var title: String
    /// Source of the numbers.
    package var source: String
    /// Rule for which minutes together are a contact; `nil`: only distances from beacons count.
    package var together: TogetherRule?
    /// Rule for which co-locations at a beacon are a contact. Beside `together` it applies where a floor has only one
    /// receiver or readings are missing.
    package var contact: ContactRule
    /// Precision and recall in the project's benchmark, with which a policy states how reliable it is.
    package var measured: [Measured] = []
    /// Limitations that people must know before they rely on the policy.
    package var warning: String?
    /// Weights by attenuation; `nil`: minutes count unweighted.
    package var attenuation: AttenuationRule?
    package var infectiousness: Infectiousness
    package var reportTypes: ReportTypeWeights
    package var risk: RiskRule
    /// Calendar by which days are counted: the site's. It is not part of the policy and no file contains it.
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

    /// Results of a policy for one question of the contact benchmark.
    package struct Measured: Equatable, Sendable {
        /// Definition of a contact in the question, such as `6 m for 5 minutes in one room`.
        package var question: String
        package var world: String
        /// Precision and recall, 0 to 1.
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
