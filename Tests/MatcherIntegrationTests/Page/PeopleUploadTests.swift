import InteractionStore
import SignIn
import SystemIO
import TestSupport
import Testing

@testable import MatcherDaemon

@Suite("Upload of a list of people", .timeLimit(.minutes(10))) struct PeopleUploadTests {
    private func list(_ rows: String...) -> [String: (name: String, bytes: [UInt8])] {
        ["people": ("people.csv", Array((["number,name,contact,subject"] + rows).map { $0 + "\n" }.joined().utf8))]
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
            let imported = try await officer.post("/people/import")
            #expect(imported.headers["location"] == "/people?done=people-imported")
            let after = try api.store.use { try $0.peopleCount() }
            #expect(after == 2)
            #expect(try await officer.post("/people/import").status == 404)
            let details = try api.store.use { try $0.audit(limit: 10).map { $0.entry } }
                .filter { $0.action == .uploaded }.map(\.detail)
            #expect(
                details == ["imported: 2 new, 0 changed, 0 removed, 0 unchanged", "list of 2, not imported yet"])
        }
    }

    @Test func `Whoever is not in the list is removed, unless others are kept`() async throws {
        try await with { api in
            let officer = try api.browser(.officer)
            _ = try await officer.upload("/people/upload", files: list("1,Ann,,phone:ann", "2,Ben,,phone:ben"))
            #expect(try await officer.post("/people/import").status == 303)
            let file = list("1,Anna,,phone:ann", "3,Cid,,phone:ben")
            let kept = try await officer.upload("/people/upload", ["keep": "yes"], files: file)
            #expect(kept.headers["location"] == "/pending-people?keep=yes")
            let conflict = try await officer.get("/pending-people?keep=yes").text
            #expect(conflict.contains("phone:ben belongs to Cid (3) in the list and to Ben (2) in the register"))
            #expect(
                try await officer.post("/people/import", ["keep": "yes"]).headers["location"]
                    == "/pending-people?keep=yes")
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
}
