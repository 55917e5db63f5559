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
    /// Whether exposures have their distance and the policy's reason.
    package var hasReasons = false
    /// Path of this page with the reasons; `nil` if it has them, or if there are no exposures.
    package var reasonsPath: String?
    /// Sentences on what the search for the reasons left out.
    package var reasonRemarks: [String] = []
    package var reports: [ReportRow]
    package var hasReports: Bool
    /// Path of the form in which this person is reported.
    package var newReportPath: String
    /// Path of this page with `stays`; `nil` if it has them.
    package var staysPath: String?
    /// Where the person was; `nil` unless it was asked for.
    package var stays: Stays?

    /// Rooms in which a person was.
    package struct Stays: Equatable, Sendable {
        /// Days that the list has, in a sentence.
        package var staysExtent: String
        package var stayRows: [Stay]

        package init(extent: String, rows: [Stay]) {
            staysExtent = extent
            stayRows = rows
        }
    }

    package struct Stay: Equatable, Sendable {
        package var when: String
        package var room: String
        package var floor: String
        package var certainty: String
        package var device: String

        package init(when: String, room: String, floor: String, certainty: String, device: String) {
            self.when = when
            self.room = room
            self.floor = floor
            self.certainty = certainty
            self.device = device
        }
    }

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

    /// Exposure of the person. Only the report states who was positive.
    package struct Exposed: Equatable, Sendable {
        package var when: String
        package var minutes: String
        package var near: String
        package var place: String
        package var device: String
        package var sourcePath: String
        package var why: String

        package init(
            when: String, minutes: String, near: String = "", place: String, device: String, reportPath: String,
            why: String = ""
        ) {
            self.when = when
            self.minutes = minutes
            self.near = near
            self.place = place
            self.device = device
            sourcePath = reportPath
            self.why = why
        }
    }

    package init(
        _ frame: Frame, person: Registered?, devices: [Device], risk: OfficerTag, notified: [String],
        exposures: [Exposed], hasMore: Bool, reports: [ReportRow], newReportPath: String,
        staysPath: String? = nil, stays: Stays? = nil
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
        self.staysPath = staysPath
        self.stays = stays
    }
}
