import Pages
import SignIn
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("The page on a phone, and without a network") struct WebAppTests {
    private func with<Value>(
        _ more: String = "", isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await TestAPI.with(
            configuration: TestAPI.pageConfiguration + more, files: ["floors.toml": SurveyedFloor.plan], body)
    }

    @Test func `The manifest and the worker have their types, and the worker may run`() async throws {
        try await with { api in
            let manifest = try await api.stranger.get("/manifest.webmanifest")
            #expect(manifest.status == 200 && manifest.headers["content-type"] == "application/manifest+json")
            let worker = try await api.stranger.get("/worker.js")
            #expect(worker.status == 200 && worker.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(worker.headers["cache-control"] == "no-store")
            #expect(worker.headers["content-security-policy"]?.contains("worker-src 'self'") == true)
            for asset in [PageAsset.me, .maskableIcon] {
                #expect(try await api.stranger.get(asset.path).status == 200, "\(asset)")
            }
            #expect(try await api.stranger.get("/assets/worker.js").status == 404)
        }
    }

    @Test func `The page without a network is the same for everybody, whoever is signed in`() async throws {
        try await with { api in
            let stranger = try await api.stranger.get("/offline")
            let student = try await api.browser(.student, name: "Ann of the test", number: "s1").get("/offline")
            #expect(stranger.status == 200 && stranger.body == student.body)
            #expect(student.text.contains("there is no connection to this service"))
        }
    }

    @Test func `What is kept and who is asked stands where anybody can read it`() async throws {
        try await with("[notices]\nsender = \"Health office of the campus\"\n") { api in
            let page = try await api.stranger.get("/about")
            #expect(page.status == 200)
            for part in ["14 days", "28 days", "Health officers", "Health office of the campus", "questionnaire"] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(!page.text.contains("Lecturers"))
            #expect(try await api.stranger.get("/sign-in").text.contains("href=\"/about\""))
        }
    }

    @Test func `That officers see rooms and maps with names stands where anybody can read it, if they do`()
        async throws
    {
        let (rooms, maps) = ("in which rooms the person was in the last", "Maps of where badges are now, with names.")
        let dots = "as dots without names"
        try await with { api in
            let page = try await api.stranger.get("/about").text
            for part in [rooms, maps, dots] { #expect(!page.contains(part), "\(part)") }
        }
        let plan = "[localisation]\nplan = \"floors.toml\"\n"
        try await with(plan + "live = [\"badge\"]\nsettled = []\n") { api in
            let page = try await api.stranger.get("/about").text
            #expect(page.contains(maps) && page.contains(dots) && !page.contains(rooms))
        }
        try await with(plan) { api in
            let page = try await api.stranger.get("/about").text
            #expect(page.contains("\(rooms) 7 days.") && !page.contains(maps) && !page.contains(dots))
        }
        try await with(plan + "settled-retention-days = 3\n") { api in
            let page = try await api.stranger.get("/about").text
            #expect(page.contains("\(rooms) 3 days."))
        }
    }

    @Test func `The person's own pages can be installed, and no other`() async throws {
        try await with { api in
            let student = try api.browser(.student, name: "Ann", number: "s1")
            for path in ["/me", "/questionnaire", "/check-in", "/my-data", "/about"] {
                #expect(try await student.get(path).text.contains("rel=\"manifest\""), "\(path)")
            }
            #expect(try await !api.browser(.officer).get("/overview").text.contains("rel=\"manifest\""))
        }
    }
}
