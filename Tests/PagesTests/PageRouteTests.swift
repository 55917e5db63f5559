import HTTPTypes
import Pages
import SignIn
import Testing

@Suite("Routes of the page") struct PageRouteTests {
    @Test("No two routes have the same path") func unique() {
        let paths = PageRoute.allCases.map(\.definition.path)
        #expect(Set(paths).count == paths.count)
    }

    @Test("A route that changes something has a body with the token of the form", arguments: PageRoute.allCases)
    func bodies(_ route: PageRoute) {
        let definition = route.definition
        #expect((definition.method == .post) == (definition.largestBody > 0))
        #expect(definition.method == .post || definition.method == .get)
    }

    @Test("Files are taken where they are meant, and nowhere else") func files() {
        let routes = PageRoute.allCases.filter { $0.definition.body == .files }
        #expect(routes == [.uploadPeople, .uploadTimetable, .importFloors, .savePicture, .selfReportPicture])
        for route in routes where route != .selfReportPicture { #expect(route.definition.access != .anybody) }
    }

    @Test("Nobody who is not signed in can see people, places or gateways") func open() {
        let routes = PageRoute.allCases.filter { $0.definition.access.allows(nil) }
        #expect(
            Set(routes) == [
                .home, .signIn, .startSignIn, .finishSignIn, .link, .useLink, .asset, .icon, .manifest, .worker,
                .about, .offline, .selfReport, .selfReportCode, .selfReportPicture, .selfReportDetails,
                .sendSelfReport, .selfReportReceived,
            ])
    }

    @Test("Operators and auditors see no reports, exposures or people") func names() {
        for route in [
            PageRoute.overview, .reports, .report, .newReport, .fileReport, .exposures, .letters, .sendReport,
            .sendExposures, .people, .person,
            .uploadPeople, .pendingPeople, .importPeople, .result, .resultPicture, .fileResult, .refuseResult, .codes,
            .issueCodes,
        ] {
            for role in Role.allCases where role != .officer { #expect(!route.definition.access.allows([role])) }
        }
    }

    @Test("Only operators draw floors") func drawing() {
        for route in [
            PageRoute.newFloor, .createFloor, .importFloors, .saveFloors, .editFloor, .saveFloor, .removeFloor,
            .floorFile, .floorPicture, .savePicture,
        ] {
            #expect(route.definition.access == .roles([.operator]))
        }
    }

    @Test("Only operators command modules") func commands() {
        for route in [PageRoute.identifyModule, .resetModule] {
            #expect(route.definition.access == .roles([.operator]))
        }
    }

    @Test("Only operators decide what is believed of gateways and places") func decisions() {
        for route in [PageRoute.acceptPlace, .revokeGateway, .restoreGateway, .revokeEnrolment] {
            #expect(route.definition.access == .roles([.operator]))
        }
    }

    @Test("Only operators see gateways, and which hears which beacon") func gateways() {
        for route in [PageRoute.gateways, .coverage, .gateway, .floorMatrix, .places, .enrolment, .surveys] {
            #expect(route.definition.access == .roles([.operator]))
        }
    }

    @Test("A person's own pages are for that role alone") func own() {
        for route in [
            PageRoute.me, .setMailPreference, .news, .questionnaire, .answerQuestionnaire, .checkIn, .signLecture,
            .myData,
            .eraseMyData,
        ] {
            for role in Role.allCases { #expect(route.definition.access.allows([role]) == (role == .student)) }
        }
    }

    @Test("An account without a role can only sign out") func noRole() {
        #expect(PageRoute.first(of: []) == nil)
        let allowed = PageRoute.allCases.filter {
            $0.definition.access.allows([]) && !$0.definition.access.allows(nil)
        }
        #expect(allowed == [.signOut])
    }

    @Test(
        "Each role has a first page",
        arguments: [
            (Role.officer, PageRoute.overview), (.lecturer, .lectures), (.operator, .floors), (.auditor, .audit),
            (.student, .me),
        ])
    func first(_ role: Role, _ route: PageRoute) { #expect(PageRoute.first(of: [role]) == route) }

    @Test("The navigation has what an account can use, and marks the page that is shown") func navigation() {
        let items = Navigation.items(for: [.operator], current: .gateways)
        #expect(items.map(\.label) == ["Floors", "Gateways"])
        #expect(items.filter(\.isCurrent).map(\.label) == ["Gateways"])
    }
}
