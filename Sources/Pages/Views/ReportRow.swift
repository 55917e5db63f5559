/// Report in a list.
package struct ReportRow: Equatable, Sendable {
    package var reportPath: String
    package var state: OfficerTag
    package var received: String
    package var test: String
    package var onset: String
    /// The people and devices of the report.
    package var who: [PersonLink]
    /// Further names of the report in words, such as codes of a phone.
    package var others: String?
    /// Number of people who were exposed.
    package var exposed: String

    package init(
        path: String, state: OfficerTag, received: String, test: String, onset: String, who: [PersonLink],
        others: String?, exposed: String
    ) {
        reportPath = path
        self.state = state
        self.received = received
        self.test = test
        self.onset = onset
        self.who = who
        self.others = others
        self.exposed = exposed
    }
}
