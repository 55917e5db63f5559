import HTTPTypes
import InteractionStore
import MatcherCore
import Pages
import SignIn
import SystemIO

/// The page: what each route shows and does. Who can use a route is decided before, by the table of routes.
struct PageService: Sendable {
    /// The API, with the store, the configuration and the live positions.
    var api: APIService
    var parts: PageParts
    var settings: PageSettings

    /// Parts that stay while the configuration changes.
    struct PageParts: Sendable {
        var renderer: PageRenderer
        /// Secret of the store for the tokens of forms.
        var formKey: [UInt8]
        /// Client of the identity provider; `nil` if none is configured.
        var login: LoginClient?
        /// Takes floors that were drawn, once they are stored.
        var floorsChanged: @Sendable () async throws -> Void = {}
        /// Sends commands to modules; `nil` if there is no connection to a broker.
        var commands: CommandSender?
        /// Takes pictures of test results; `nil` if the page takes none.
        var pictures: PictureIntake?
        /// Lets one request at a time count coverage.
        var coverageTurn = CoverageTurn()
        /// Which sign-ins that failed are in the log.
        var failedSignIns = LockedValue(RefusalTally())
    }

    var configuration: MatcherConfiguration { api.configuration }

    /// Carries out what a route is for.
    ///
    /// - Throws: `PageError`, `StoreError`.
    func answer(_ route: PageRoute, _ request: PageRequest) async throws -> PageAnswer {
        switch route {
        case .home: home(request)
        case .asset: try asset(named: request.parameters["name"] ?? "", request)
        case .icon: try asset(named: PageAsset.icon.rawValue, request)
        case .signIn: await signIn(request)
        case .startSignIn: try await startSignIn(request)
        case .finishSignIn: try await finishSignIn(request)
        case .link: try link(request)
        case .useLink: try await useLink(request)
        case .signOut: try await signOut(request)
        case .overview: try await overview(request)
        case .reports: try await reports(request)
        case .newReport: try await newReport(request)
        case .fileReport: try await fileReport(request)
        case .report: try await report(request)
        case .confirmReport: try await decide(.confirmed, request)
        case .refuseReport: try await decide(.refused, request)
        case .withdrawReport: try await decide(.withdrawn, request)
        case .result: try await result(request)
        case .resultPicture: try await resultPicture(request)
        case .fileResult: try await fileResult(request)
        case .refuseResult: try await refuseResult(request)
        case .codes: try await codes(request)
        case .issueCodes: try await issueCodes(request)
        case .exposures: try await exposures(request)
        case .policy: policy(request)
        case .letters: try await letters(request)
        case .sendReport: try await sendReport(request)
        case .sendExposures: try await sendExposures(request)
        case .people: try await people(request)
        case .person: try await person(request)
        case .uploadPeople: try await uploadPeople(request)
        case .pendingPeople: try await pendingPeople(request)
        case .importPeople: try await importPeople(request)
        case .timetable: try await timetable(request)
        case .uploadTimetable: try await uploadTimetable(request)
        case .removeUpload: try await removeUpload(request)
        case .lectures: try await lectures(request)
        case .lecture: try await lecture(request)
        case .lectureTable: try await lectureTable(request)
        case .correct: try await correct(request)
        case .corrections: try await corrections(request)
        case .timeline: try await timeline(request)
        case .floors: try await floors(request)
        case .floor: try await floor(request)
        case .liveFloor: try await liveFloor(request)
        case .floorMatrix: try await floorMatrix(request)
        case .surveys: try await surveys(request)
        case .newFloor: try newFloor(request)
        case .createFloor: try createFloor(request)
        case .importFloors: try await importFloors(request)
        case .saveFloors: try await saveFloors(request)
        case .editFloor: try await editFloor(request)
        case .saveFloor: try await saveFloor(request)
        case .removeFloor: try await removeFloor(request)
        case .floorFile: try floorFile(request)
        case .floorPicture: try await floorPicture(request)
        case .savePicture: try await savePicture(request)
        case .gateways: try await gateways(request)
        case .coverage: try await coverage(request)
        case .gateway: try await gateway(request)
        case .identifyModule: try await identifyModule(request)
        case .resetModule: try await resetModule(request)
        case .revokeGateway: try await revokeGateway(request)
        case .restoreGateway: try await restoreGateway(request)
        case .places: try await places(request)
        case .acceptPlace: try await acceptPlace(request)
        case .enrolment: try await enrolment(request)
        case .revokeEnrolment: try await revokeEnrolment(request)
        case .audit: try await audit(request)
        case .sessions: try await sessions(request)
        case .me: try await me(request)
        case .setMailPreference: try await setMailPreference(request)
        case .news: try await news(request)
        case .questionnaire: try await questionnaire(request)
        case .answerQuestionnaire: try await answerQuestionnaire(request)
        case .checkIn: try await checkIn(request)
        case .signLecture: try await signLecture(request)
        case .myData: try await myData(request)
        case .eraseMyData: try await eraseMyData(request)
        case .selfReport: try await selfReport(request)
        case .selfReportCode: try await selfReportCode(request)
        case .selfReportPicture: try await selfReportPicture(request)
        case .selfReportDetails: try await selfReportDetails(request)
        case .sendSelfReport: try await sendSelfReport(request)
        case .selfReportReceived: selfReportReceived(request)
        case .about: about(request)
        case .offline: offline()
        case .manifest: PageAnswer(content: .text(WebApp.manifest, contentType: WebApp.manifestType))
        case .worker: PageAnswer(content: .text(WebApp.worker, contentType: WebApp.workerType))
        }
    }

    /// Returns an answer with a page.
    func page(_ page: some PageContent, status: HTTPResponse.Status = .ok) -> PageAnswer {
        .html(parts.renderer.html(page), status: status)
    }

    /// Notes in the audit what an account does.
    ///
    /// - Throws: `StoreError`: nothing is shown that is not noted.
    func note(
        _ action: AuditEntry.Action, _ object: String = "", _ request: PageRequest, detail: String = ""
    ) async throws {
        let entry = AuditEntry(
            at: request.now, account: try request.account(), action: action, object: object, detail: detail)
        try await api.work { try $0.note(entry) }
    }

    private func home(_ request: PageRequest) -> PageAnswer {
        guard let session = request.session else { return .redirect(PageRoute.signIn.path) }
        return .redirect((PageRoute.first(of: session.account.roles) ?? .signIn).path)
    }

    private func asset(named name: String, _ request: PageRequest) throws(PageError) -> PageAnswer {
        guard let asset = PageAsset(name: name) else { throw .notFound }
        return PageAnswer(content: request.tag == "\"\(asset.version)\"" ? .notModified(asset) : .asset(asset))
    }
}
