/// One report: its facts, what can be decided about it, and who was exposed.
package struct ReportPage: PageContent {
    package static let template = PageTemplate.report
    package var frame: Frame
    package var report: ReportRow
    package var reference: String
    package var symptoms: String?
    /// Decision with its author and time, in a sentence.
    package var decision: String?
    /// Remarks on parts that wait for confirmation, and on why nothing follows.
    package var remarks: [String]
    /// Paths of what can be decided; `nil` where it cannot.
    package var confirmPath: String?
    package var refusePath: String?
    package var withdrawPath: String?
    /// Reason as it was typed, in a form that is shown again.
    package var reason: String
    package var reasonMistake: String?
    /// Summary of the exposed people, in a sentence.
    package var summary: String
    package var exposures: [Exposed]
    package var hasExposures: Bool
    /// Whether exposures have their distance and the policy's reason.
    package var hasReasons: Bool
    /// Path of the page with the reasons; `nil` if they are shown.
    package var reasonsPath: String?
    /// Part for letters and e-mails; `nil` if nobody was exposed.
    package var notices: NoticesPart?

    /// Exposure of a person by the report.
    package struct Exposed: Equatable, Sendable {
        package var person: PersonLink
        package var risk: OfficerTag
        package var when: String
        package var minutes: String
        package var near: String
        package var place: String
        package var notified: String
        package var why: String

        package init(
            person: PersonLink, risk: OfficerTag, when: String, minutes: String, near: String = "", place: String,
            notified: String, why: String = ""
        ) {
            self.person = person
            self.risk = risk
            self.when = when
            self.minutes = minutes
            self.near = near
            self.place = place
            self.notified = notified
            self.why = why
        }
    }

    /// Decisions that can be made about a report, with the paths of the forms.
    package struct Choices: Equatable, Sendable {
        package var confirm: String?
        package var refuse: String?
        package var withdraw: String?
        /// Reason as it was typed, and what is wrong with it.
        package var reason: String
        package var mistake: String?

        package init(
            confirm: String? = nil, refuse: String? = nil, withdraw: String? = nil, reason: String = "",
            mistake: String? = nil
        ) {
            self.confirm = confirm
            self.refuse = refuse
            self.withdraw = withdraw
            self.reason = reason
            self.mistake = mistake
        }
    }

    package init(
        _ frame: Frame, report: ReportRow, reference: String, symptoms: String?, decision: String?, remarks: [String],
        choices: Choices, summary: String, exposures: [Exposed], reasonsPath: String?,
        notices: NoticesPart? = nil
    ) {
        self.frame = frame
        self.report = report
        self.reference = reference
        self.symptoms = symptoms
        self.decision = decision
        self.remarks = remarks
        confirmPath = choices.confirm
        refusePath = choices.refuse
        withdrawPath = choices.withdraw
        reason = choices.reason
        reasonMistake = choices.mistake
        self.summary = summary
        self.exposures = exposures
        hasExposures = !exposures.isEmpty
        hasReasons = reasonsPath == nil
        self.notices = notices
        self.reasonsPath = exposures.isEmpty ? nil : reasonsPath
    }
}
