/// Template in `Templates`, by the name of its file.
package enum PageTemplate: String, CaseIterable, Sendable {
    case layout
    case message, confirm
    case signIn = "sign-in"
    case link
    case overview
    case reports, report
    case newReport = "new-report"
    case result, codes
    case exposures, policy
    /// Part of the pages of a report and of exposures.
    case send
    case letters
    case people, person
    case pendingPeople = "pending-people"
    case lectures, lecture, corrections, timeline
    case timetable
    case floors, floor, matrix, surveys
    case plan
    case newFloor = "new-floor"
    case foundFloors = "found-floors"
    case gateways, coverage, gateway, reset, places, enrolment
    /// Question before something is done.
    case sure
    case audit, sessions
    case me
    case questionnaire
    case checkIn = "check-in"
    case myData = "my-data"
    case selfReport = "self-report"
    case about

    /// Text of the template in UTF-8.
    var bytes: [UInt8] {
        switch self {
        case .layout: PackageResources.layout_mustache
        case .message: PackageResources.message_mustache
        case .confirm: PackageResources.confirm_mustache
        case .signIn: PackageResources.sign_in_mustache
        case .link: PackageResources.link_mustache
        case .overview: PackageResources.overview_mustache
        case .reports: PackageResources.reports_mustache
        case .report: PackageResources.report_mustache
        case .newReport: PackageResources.new_report_mustache
        case .result: PackageResources.result_mustache
        case .codes: PackageResources.codes_mustache
        case .exposures: PackageResources.exposures_mustache
        case .policy: PackageResources.policy_mustache
        case .send: PackageResources.send_mustache
        case .letters: PackageResources.letters_mustache
        case .people: PackageResources.people_mustache
        case .person: PackageResources.person_mustache
        case .pendingPeople: PackageResources.pending_people_mustache
        case .timetable: PackageResources.timetable_mustache
        case .lectures: PackageResources.lectures_mustache
        case .lecture: PackageResources.lecture_mustache
        case .corrections: PackageResources.corrections_mustache
        case .timeline: PackageResources.timeline_mustache
        case .floors: PackageResources.floors_mustache
        case .floor: PackageResources.floor_mustache
        case .matrix: PackageResources.matrix_mustache
        case .surveys: PackageResources.surveys_mustache
        case .plan: PackageResources.plan_mustache
        case .newFloor: PackageResources.new_floor_mustache
        case .foundFloors: PackageResources.found_floors_mustache
        case .gateways: PackageResources.gateways_mustache
        case .coverage: PackageResources.coverage_mustache
        case .gateway: PackageResources.gateway_mustache
        case .reset: PackageResources.reset_mustache
        case .places: PackageResources.places_mustache
        case .enrolment: PackageResources.enrolment_mustache
        case .sure: PackageResources.sure_mustache
        case .audit: PackageResources.audit_mustache
        case .sessions: PackageResources.sessions_mustache
        case .me: PackageResources.me_mustache
        case .questionnaire: PackageResources.questionnaire_mustache
        case .checkIn: PackageResources.check_in_mustache
        case .myData: PackageResources.my_data_mustache
        case .selfReport: PackageResources.self_report_mustache
        case .about: PackageResources.about_mustache
        }
    }
}
