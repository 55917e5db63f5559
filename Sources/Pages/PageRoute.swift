package import HTTPTypes
package import SignIn

/// Request that the page answers. One table says where each is and who can use it.
package enum PageRoute: String, CaseIterable, Sendable {
    case home
    case signIn, startSignIn, finishSignIn, link, useLink, signOut
    case overview
    case reports, newReport, fileReport, report, confirmReport, refuseReport, withdrawReport
    case result, resultPicture, fileResult, refuseResult
    case codes, issueCodes
    case exposures, policy
    case letters, sendReport, sendExposures
    case people, person, uploadPeople, pendingPeople, importPeople
    case lectures, lecture, lectureTable, correct, corrections, timeline
    case timetable, uploadTimetable, removeUpload
    case floors, floor, liveFloor, floorMatrix, surveys
    case newFloor, createFloor, importFloors, saveFloors
    case editFloor, saveFloor, removeFloor, floorFile, floorPicture, savePicture
    case gateways, coverage, gateway, identifyModule, resetModule
    case revokeGateway, restoreGateway, places, acceptPlace, enrolment, revokeEnrolment
    case audit, sessions
    case me, setMailPreference, news
    case questionnaire, answerQuestionnaire
    case checkIn, signLecture
    case myData, eraseMyData
    case selfReport, selfReportCode, selfReportPicture, selfReportDetails, sendSelfReport, selfReportReceived
    case about, offline
    case asset, icon, manifest, worker

    /// Access to a route.
    package enum Access: Equatable, Sendable {
        case anybody
        /// Everybody who is signed in, in any role.
        case signedIn
        case roles(Set<Role>)

        /// Whether an account with some roles can use the route; `nil` stands for nobody signed in.
        package func allows(_ roles: Set<Role>?) -> Bool {
            switch self {
            case .anybody: true
            case .signedIn: roles != nil
            case .roles(let allowed): roles.map { !$0.isDisjoint(with: allowed) } ?? false
            }
        }
    }

    /// Form of a request's body.
    package enum Body: Equatable, Sendable {
        /// `application/x-www-form-urlencoded`.
        case form
        /// A form with as many fields as a table has: `application/x-www-form-urlencoded`.
        case table
        /// A form that can have files: `multipart/form-data`.
        case files
    }

    package struct Definition: Sendable {
        package var method: HTTPRequest.Method
        /// Path with parameters in braces.
        package var path: String
        package var access: Access
        /// Largest body in bytes; 0 for a route that takes none.
        package var largestBody: Int
        package var body: Body

        fileprivate init(
            _ method: HTTPRequest.Method, _ path: String, _ access: Access, upTo largestBody: Int = 0,
            takes body: Body = .form
        ) {
            self.method = method
            self.path = path
            self.access = access
            self.largestBody = largestBody
            self.body = body
        }
    }

    /// Largest form without files, in bytes.
    private static let form = 16_384
    /// Largest form with files, in bytes. It is read before the sender is known.
    package static let files = 4 * 1024 * 1024
    /// Largest form with a picture of a test result, in bytes: somewhat more than the picture may have, so that one
    /// that is too large gets its reason at the form. Proxies refuse more.
    package static let picture = 11_000_000
    /// Largest form with the rows of a table, in bytes.
    private static let table = 1024 * 1024
    private static let officer = Access.roles([.officer])
    private static let teaching = Access.roles([.lecturer, .officer])
    private static let student = Access.roles([.student])
    private static let building = Access.roles([.operator, .officer])
    private static let operating = Access.roles([.operator])

    package var definition: Definition {
        switch self {
        case .home: Definition(.get, "/", .anybody)
        case .signIn: Definition(.get, "/sign-in", .anybody)
        case .startSignIn: Definition(.get, "/sign-in/start", .anybody)
        case .finishSignIn: Definition(.get, "/sign-in/callback", .anybody)
        case .link: Definition(.get, "/sign-in/link", .anybody)
        case .useLink: Definition(.post, "/sign-in/use", .anybody, upTo: 1024)
        case .signOut: Definition(.post, "/sign-out", .signedIn, upTo: 1024)
        case .overview: Definition(.get, "/overview", Self.officer)
        case .reports: Definition(.get, "/reports", Self.officer)
        case .newReport: Definition(.get, "/new-report", Self.officer)
        case .fileReport: Definition(.post, "/file-report", Self.officer, upTo: Self.form)
        case .report: Definition(.get, "/reports/{report}", Self.officer)
        case .confirmReport: Definition(.post, "/reports/{report}/confirm", Self.officer, upTo: Self.form)
        case .refuseReport: Definition(.post, "/reports/{report}/refuse", Self.officer, upTo: Self.form)
        case .withdrawReport: Definition(.post, "/reports/{report}/withdraw", Self.officer, upTo: Self.form)
        case .result: Definition(.get, "/results/{result}", Self.officer)
        case .resultPicture: Definition(.get, "/results/{result}/picture", Self.officer)
        case .fileResult: Definition(.post, "/results/{result}/file", Self.officer, upTo: Self.form)
        case .refuseResult: Definition(.post, "/results/{result}/refuse", Self.officer, upTo: Self.form)
        case .codes: Definition(.get, "/codes", Self.officer)
        case .issueCodes: Definition(.post, "/codes/issue", Self.officer, upTo: 1024)
        case .exposures: Definition(.get, "/exposures", Self.officer)
        case .policy: Definition(.get, "/policy", Self.officer)
        case .letters: Definition(.get, "/letters", Self.officer)
        case .sendReport: Definition(.post, "/reports/{report}/send", Self.officer, upTo: Self.form)
        case .sendExposures: Definition(.post, "/exposures/send", Self.officer, upTo: Self.form)
        case .people: Definition(.get, "/people", Self.officer)
        case .person: Definition(.get, "/person", Self.officer)
        case .uploadPeople: Definition(.post, "/people/upload", Self.officer, upTo: Self.files, takes: .files)
        case .pendingPeople: Definition(.get, "/pending-people", Self.officer)
        case .importPeople: Definition(.post, "/people/import", Self.officer, upTo: Self.form)
        case .timetable: Definition(.get, "/timetable", Self.teaching)
        case .uploadTimetable: Definition(.post, "/timetable/upload", Self.teaching, upTo: Self.files, takes: .files)
        case .removeUpload: Definition(.post, "/timetable/remove", Self.teaching, upTo: Self.form)
        case .lectures: Definition(.get, "/lectures", Self.teaching)
        case .lecture: Definition(.get, "/lecture", Self.teaching)
        case .lectureTable: Definition(.get, "/lecture.csv", Self.teaching)
        case .correct: Definition(.post, "/lecture/correct", Self.teaching, upTo: Self.form)
        case .corrections: Definition(.get, "/corrections", Self.teaching)
        case .timeline: Definition(.get, "/timeline", Self.teaching)
        case .floors: Definition(.get, "/floors", Self.building)
        case .floor: Definition(.get, "/floors/{site}/{building}/{floor}", Self.building)
        case .liveFloor: Definition(.get, "/floors/{site}/{building}/{floor}/live", Self.building)
        case .floorMatrix: Definition(.get, "/floors/{site}/{building}/{floor}/matrix", Self.operating)
        case .surveys: Definition(.get, "/surveys", Self.operating)
        case .newFloor: Definition(.get, "/new-floor", Self.operating)
        case .createFloor: Definition(.post, "/create-floor", Self.operating, upTo: Self.form)
        case .importFloors: Definition(.post, "/import-floors", Self.operating, upTo: Self.files, takes: .files)
        case .saveFloors: Definition(.post, "/save-floors", Self.operating, upTo: Self.files, takes: .table)
        case .editFloor: Definition(.get, "/floors/{site}/{building}/{floor}/edit", Self.operating)
        case .saveFloor:
            Definition(.post, "/floors/{site}/{building}/{floor}/save", Self.operating, upTo: Self.table, takes: .table)
        case .removeFloor:
            Definition(.post, "/floors/{site}/{building}/{floor}/remove", Self.operating, upTo: Self.form)
        case .floorFile: Definition(.get, "/floors/{site}/{building}/{floor}/plan.toml", Self.operating)
        case .floorPicture: Definition(.get, "/floors/{site}/{building}/{floor}/picture", Self.operating)
        case .savePicture:
            Definition(.post, "/floors/{site}/{building}/{floor}/lay", Self.operating, upTo: Self.files, takes: .files)
        case .gateways: Definition(.get, "/gateways", Self.operating)
        case .coverage: Definition(.get, "/coverage", Self.operating)
        case .gateway: Definition(.get, "/gateway", Self.operating)
        case .identifyModule: Definition(.post, "/gateway/identify", Self.operating, upTo: 1024)
        case .resetModule: Definition(.post, "/gateway/reset", Self.operating, upTo: 1024)
        case .revokeGateway: Definition(.post, "/gateway/revoke", Self.operating, upTo: Self.form)
        case .restoreGateway: Definition(.post, "/gateway/restore", Self.operating, upTo: Self.form)
        case .places: Definition(.get, "/places", Self.operating)
        case .acceptPlace: Definition(.post, "/places/accept", Self.operating, upTo: Self.form)
        case .enrolment: Definition(.get, "/enrolment", Self.operating)
        case .revokeEnrolment: Definition(.post, "/enrolment/revoke", Self.operating, upTo: Self.form)
        case .audit: Definition(.get, "/audit", .roles([.auditor]))
        case .sessions: Definition(.get, "/sessions", .roles([.auditor]))
        case .me: Definition(.get, "/me", .roles([.student]))
        case .setMailPreference: Definition(.post, "/me/mail", .roles([.student]), upTo: 1024)
        case .news: Definition(.get, "/me/events", Self.student)
        case .questionnaire: Definition(.get, "/questionnaire", Self.student)
        case .answerQuestionnaire: Definition(.post, "/questionnaire/answer", Self.student, upTo: Self.form)
        case .checkIn: Definition(.get, "/check-in", Self.student)
        case .signLecture: Definition(.post, "/check-in/sign", Self.student, upTo: 1024)
        case .myData: Definition(.get, "/my-data", Self.student)
        case .eraseMyData: Definition(.post, "/my-data/erase", Self.student, upTo: 1024)
        case .selfReport: Definition(.get, "/self-report", .anybody)
        case .selfReportCode: Definition(.post, "/self-report/code", .anybody, upTo: Self.form)
        case .selfReportPicture:
            Definition(.post, "/self-report/picture", .anybody, upTo: Self.picture, takes: .files)
        case .selfReportDetails: Definition(.post, "/self-report/details", .anybody, upTo: Self.form)
        case .sendSelfReport: Definition(.post, "/self-report/send", .anybody, upTo: Self.form)
        case .selfReportReceived: Definition(.get, "/self-report/received", .anybody)
        case .about: Definition(.get, "/about", .anybody)
        case .offline: Definition(.get, "/offline", .anybody)
        case .manifest: Definition(.get, "/manifest.webmanifest", .anybody)
        case .worker: Definition(.get, "/worker.js", .anybody)
        case .asset: Definition(.get, "/assets/{name}", .anybody)
        case .icon: Definition(.get, "/favicon.ico", .anybody)
        }
    }

    /// Path without parameters, for links.
    package var path: String { definition.path }

    /// Returns the path with a notice of what was just done.
    package func path(done notice: DoneNotice) -> String { "\(path)?\(notice.query)" }

    /// Returns the path with a query, whose values are encoded.
    package func path(_ query: KeyValuePairs<String, String>) -> String {
        path + "?" + query.map { "\($0.key)=\(FormFields.encode($0.value))" }.joined(separator: "&")
    }

    /// Returns the path of a floor, `site/building/floor`, for links.
    package static func path(ofFloor floor: String) -> String { "/floors/\(floor)" }

    /// Returns the path of a gateway, `site/building/floor/gateway`, for links.
    package static func path(ofGateway gateway: String) -> String { PageRoute.gateway.path(["path": gateway]) }

    /// Returns the first page of an account; `nil` without a role.
    package static func first(of roles: Set<Role>) -> PageRoute? {
        Navigation.entries.map(\.route).first { $0.definition.access.allows(roles) }
    }
}
