import InteractionStore
import Matching
import People
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherDaemon

@Suite("Upload of a list of people", .timeLimit(.minutes(10))) struct PeopleUploadTests {
    private func list(_ rows: String...) -> [String: (name: String, bytes: [UInt8])] {
        ["people": ("people.csv", Array((["number,name,contact,subject"] + rows).map { $0 + "\n" }.joined().utf8))]
    }

    /// Presses "Import" on a page as it was shown.
    private func press(
        _ page: TestAPI.Answer, _ fields: [String: String] = [:], by browser: TestAPI.Browser
    ) async throws -> TestAPI.Answer {
        let text = page.text
        let start = try #require(text.ranges(of: "name=\"seen\" value=\"").first?.upperBound, "\(text)")
        let seen = String(text[start...].prefix { $0 != "\"" })
        return try await browser.post("/people/import", fields.merging(["seen": seen]) { given, _ in given })
    }

    /// Imports a list, and looks at it before.
    private func register(_ rows: String..., by browser: TestAPI.Browser) async throws {
        let header = ["number,name,contact,subject"]
        let bytes = Array((header + rows).map { $0 + "\n" }.joined().utf8)
        _ = try await browser.upload("/people/upload", files: ["people": ("people.csv", bytes)])
        let answer = try await press(try await browser.get("/pending-people"), by: browser)
        #expect(answer.status == 303, "\(answer.text)")
    }

    private func names(_ api: TestAPI) throws -> [String] {
        try api.store.use { try $0.people(after: nil, limit: 100).map(\.name) }
    }

    private func with(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Void
    ) async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration, body)
    }

    @Test func `A list is looked at, and then imported`() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let answer = try await officer.upload(
                "/people/upload", files: list("1,Ann Other,,phone:ann", "2,Ben Other,,"))
            #expect(answer.headers["location"] == "/pending-people", "\(answer.text)")
            let page = try await officer.get("/pending-people")
            #expect(page.status == 200)
            for part in ["<dt>New</dt><dd>2</dd>", "Ann Other (1)", "before 12:10", "<button>Import</button>"] {
                #expect(page.text.contains(part), "\(part)")
            }
            let before = try api.store.use { try $0.peopleCount() }
            #expect(before == 0)
            let imported = try await press(page, by: officer)
            #expect(imported.headers["location"] == "/people?done=people-imported")
            let after = try api.store.use { try $0.peopleCount() }
            #expect(after == 2)
            #expect(try await press(page, by: officer).status == 404)
            let details = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }
                .filter { $0.action == .uploaded }.map(\.detail)
            #expect(
                details == ["imported: 2 new, 0 changed, 0 removed, 0 unchanged", "list of 2, not imported yet"])
        }
    }

    @Test func `Whoever is not in the list is removed, unless others are kept`() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            try await register("1,Ann,,phone:ann", "2,Ben,,phone:ben", by: officer)
            let file = list("1,Anna,,phone:ann", "3,Cid,,phone:ben")
            let kept = try await officer.upload("/people/upload", ["keep": "yes"], files: file)
            #expect(kept.headers["location"] == "/pending-people?keep=yes")
            let conflict = try await officer.get("/pending-people?keep=yes").text
            #expect(conflict.contains("phone:ben belongs to Cid (3) in the list and to Ben (2) in the register"))
            let refused = try await officer.post("/people/import", ["keep": "yes"])
            #expect(refused.status == 409 && refused.text.contains("cannot be imported"), "\(refused.text)")
            let all = try await officer.get("/pending-people").text
            for part in ["Anna (1): name, was Ann", "Ben (2)", "<dt>Removed</dt><dd>1</dd>"] {
                #expect(all.contains(part), "\(part)")
            }
        }
    }

    @Test func `A list waits for ten minutes, in the session of the officer who uploaded it`() async throws {
        try await with { api in
            let (officer, other) = (try api.browser(.officer), try api.browser(.officer, name: "Other"))
            _ = try await officer.upload("/people/upload", files: list("1,Ann,,"))
            #expect(try await other.get("/pending-people").status == 404)
            #expect(try await other.post("/people/import").status == 404)
            api.clock.withLock { $0 += 600 }
            let late = try await officer.post("/people/import")
            #expect(late.status == 404 && late.text.contains("An uploaded list is kept for ten minutes."))
            let count = try api.store.use { try $0.peopleCount() }
            #expect(count == 0)
        }
    }

    @Test func `Mistakes are shown by line, and nothing waits then`() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            let answer = try await officer.upload(
                "/people/upload", files: list("1,Ann,,phone:x", "2,Ben,,phone:x", "3,=Cid,,"))
            #expect(answer.status == 422)
            #expect(answer.text.contains("Nothing was imported") && answer.text.contains("Line 3, column subject"))
            #expect(answer.text.contains("Line 4, column name"))
            let latin1 = Array("number,name\n1,J".utf8) + [0xFC] + Array("rgen\n".utf8)
            let encoded = try await officer.upload("/people/upload", files: ["people": ("p.csv", latin1)])
            #expect(encoded.status == 422 && encoded.text.contains("Line 2: is not UTF-8 text, but Latin-1"))
            #expect(try await officer.get("/pending-people").status == 404)
            #expect(try await officer.upload("/people/upload").status == 422)
        }
    }

    @Test func `Nothing is imported if the register has changed since the officer looked`() async throws {
        try await with { api in
            let (officer, other) = (try api.browser(.officer), try api.browser(.officer, name: "Other"))
            _ = try await officer.upload("/people/upload", files: list("1,Ann,,"))
            let page = try await officer.get("/pending-people")
            #expect(page.text.contains("<dt>Removed</dt><dd>0</dd>"))
            try await register("2,Ben,,", "3,Cid,,", by: other)
            let answer = try await press(page, by: officer)
            #expect(answer.status == 409)
            for part in ["The register has changed since you looked", "<dt>Removed</dt><dd>2</dd>", "Ben (2)"] {
                #expect(answer.text.contains(part), "\(part)")
            }
            #expect(try names(api) == ["Ben", "Cid"])
            // What the officer has seen now is imported.
            #expect(try await press(answer, by: officer).status == 303)
            #expect(try names(api) == ["Ann"])
        }
    }

    @Test func `The list of another tab, or with others kept, is not imported in the place of the one that was seen`()
        async throws
    {
        try await with { api in
            let officer = try api.browser(.officer)
            _ = try await officer.upload("/people/upload", files: list("1,Ann,,"))
            let page = try await officer.get("/pending-people")
            _ = try await officer.upload("/people/upload", files: list("1,Ann,a@b.example,"))
            #expect(try await press(page, by: officer).status == 409)
            #expect(try await officer.post("/people/import").status == 409)
            let second = try await officer.get("/pending-people")
            #expect(try await press(second, ["keep": "yes"], by: officer).status == 409)
            #expect(try names(api).isEmpty)
            #expect(try await press(second, by: officer).status == 303)
            #expect(try names(api) == ["Ann"])
        }
    }

    @Test func `What passes to another person is shown with what that means, and asks for a mark`() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            try await register("1,Ann,,phone:a", "2,Ben,,", by: officer)
            _ = try await officer.upload("/people/upload", files: list("1,Ann,,", "2,Ben,,phone:a"))
            let page = try await officer.get("/pending-people")
            for part in [
                "<h2>Passed on to another person</h2>", "phone:a from Ann (1) to Ben (2)",
                "counts as the new person", "name=\"passes-on\"",
            ] {
                #expect(page.text.contains(part), "\(part)")
            }
            let asked = try await press(page, by: officer)
            #expect(asked.status == 422 && asked.text.contains("Nothing was imported yet"), "\(asked.text)")
            let device = try #require(SubjectIdentity("phone:a"))
            var owner = try api.store.use { try $0.people(of: [device])[device]?.name }
            #expect(owner == "Ann")
            #expect(try await press(asked, ["passes-on": "yes"], by: officer).status == 303)
            owner = try api.store.use { try $0.people(of: [device])[device]?.name }
            #expect(owner == "Ben")
            let detail = try api.store.use { try $0.audit(limit: 1).first?.entry.detail }
            #expect(detail == "imported: 0 new, 2 changed, 0 removed, 0 unchanged, 1 passed on")
        }
    }
}
