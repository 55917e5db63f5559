/// One person, or one badge or phone whose owner is not in the register.
package struct PersonPage: PageContent {
    package static let template = PageTemplate.person
    package var frame: Frame
    /// Name and number; `nil` for a device whose owner is not in the register.
    package var person: Registered?
    package var devices: [Device]
    package var risk: OfficerTag
    package var notified: [String]
    package var exposures: [Exposed]
    package var hasExposures: Bool
    /// Whether there are more exposures than are listed.
    package var hasMore: Bool
    package var reports: [ReportRow]
    package var hasReports: Bool
    /// Path of the form in which this person is reported.
    package var newReportPath: String

    /// Entry of the register.
    package struct Registered: Equatable, Sendable {
        package var name: String
        package var number: String
        package var contact: [String]

        package init(name: String, number: String, contact: [String]) {
            self.name = name
            self.number = number
            self.contact = contact
        }
    }

    /// Badge or phone.
    package struct Device: Equatable, Sendable {
        package var kind: String
        package var id: String

        package init(_ kind: String, id: String) {
            self.kind = kind
            self.id = id
        }
    }

    /// Exposure of the person. Who was positive is said by the report alone.
    package struct Exposed: Equatable, Sendable {
        package var when: String
        package var minutes: String
        package var place: String
        package var device: String
        package var sourcePath: String

        package init(when: String, minutes: String, place: String, device: String, reportPath: String) {
            self.when = when
            self.minutes = minutes
            self.place = place
            self.device = device
            sourcePath = reportPath
        }
    }

    package init(
        _ frame: Frame, person: Registered?, devices: [Device], risk: OfficerTag, notified: [String],
        exposures: [Exposed], hasMore: Bool, reports: [ReportRow], newReportPath: String
    ) {
        self.frame = frame
        self.person = person
        self.devices = devices
        self.risk = risk
        self.notified = notified
        self.exposures = exposures
        hasExposures = !exposures.isEmpty
        self.hasMore = hasMore
        self.reports = reports
        hasReports = !reports.isEmpty
        self.newReportPath = newReportPath
    }
}
