import Glibc
import RecordContract
import TestSupport
import Testing

@Suite("The register of people from the command line", .timeLimit(.minutes(10))) struct PeopleCommandTests {
    private struct Subject: Decodable {
        struct Person: Decodable, Equatable { var number: String, name: String }
        var kind: String, id: String
        var person: Person?
    }
    private struct Exposure: Decodable { var subject: Subject, positive: [Subject] }
    private struct Filed: Decodable { var subjects: [Subject], exposed: [Subject] }
    private struct Erased: Decodable { var register: String? }

    private static let people = """
        number,name,contact,subject
        17,"Smith, Anna",anna@campus.example,\(BadgeRecords.badge(1)) phone:never-received
        18,Ben Müller,+49 30 1234,\(BadgeRecords.badge(2))
        19,Ben Miller,,
        20,Li Wei,,phone:one
        21,Li Wei,,phone:two

        """

    /// A store in which two badges were together, with these people.
    private static func prepared(_ directory: TemporaryDirectory) async throws -> [String] {
        let lines = BadgeRecords.lines([
            .init(badge: 1, minutes: 0...20, metres: 1), .init(badge: 2, minutes: 0...20, metres: 1),
        ])
        let store = ["--store", directory.path + "/s.sqlite"]
        let records = try await TestMatcher.run(
            ["import", try directory.write("r.jsonl", lines), "--as-of", "2026-11-02T12:00:00Z"] + store)
        #expect(records.status == 0)
        let imported = try await TestMatcher.run(
            ["people", "import", try directory.write("people.csv", people)] + store)
        #expect(imported.status == 0 && imported.errorOutput == ["5 new, 0 changed, 0 removed, 0 unchanged"])
        return store
    }

    private static func exposures(_ positive: String, _ more: [String]) -> [String] {
        ["exposures", "--positive", positive, "--from", "2026-11-02", "--to", "2026-11-03"] + more
    }

    @Test func `A file is imported, shown beforehand, listed and exported`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let next = try directory.write(
            "next.csv", "number;name;subject\n17;Anna Jones;\(BadgeRecords.badge(1))\n22;Di;\n")
        let trial = try await TestMatcher.run(["people", "import", next, "--keep", "--dry-run"] + store)
        #expect(trial.status == 0)
        #expect(
            trial.output == [
                "new: Di (22)", "changed: Anna Jones (17): name, was Smith, Anna; contact; badges and phones",
            ])
        #expect(
            trial.errorOutput == ["1 new, 1 changed, 0 removed, 0 unchanged", "nothing was changed: --dry-run"])
        let listed = try await TestMatcher.run(["people"] + store)
        #expect(listed.output.count == 6 && listed.errorOutput == ["5 people"])
        let found = try await TestMatcher.run(["people", "list", "be mue", "--json"] + store)
        #expect(found.output.count == 1 && found.output.first?.contains(#""number":"18""#) == true, "\(found)")
        let file = directory.path + "/export.csv"
        #expect(try await TestMatcher.run(["people", "export", file] + store).status == 0)
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let again = try await TestMatcher.run(["people", "import", file] + store)
        #expect(again.errorOutput == ["0 new, 0 changed, 0 removed, 5 unchanged"])
        let exported = try await TestMatcher.run(["people", "export"] + store)
        #expect(exported.output.first == #""number","name","contact","subject""#)
        #expect(exported.output.dropFirst(3).first == #""19","Ben Miller","","""#)
    }

    @Test func `A file with mistakes changes nothing, and says all of them`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let file = try directory.write("bad.csv", "number,name,subject\n1,Ann,badge:1\n2,,\n")
        let result = try await TestMatcher.run(["people", "import", file] + store)
        let said = result.errorOutput.joined(separator: "\n")
        #expect(result.status == 65 && result.output.isEmpty)
        #expect(said.contains("bad.csv has 2 problems") && said.contains("line 3, column name"), "\(said)")
        let conflict = try directory.write("conflict.csv", "number,name,subject\n30,Eve,phone:one\n")
        let kept = try await TestMatcher.run(["people", "import", conflict, "--keep"] + store)
        #expect(kept.status == 65)
        #expect(
            kept.errorOutput.joined(separator: "\n").contains(
                "phone:one belongs to Eve (30) in the file and to Li Wei (20) in the register"), "\(kept)")
        #expect(try await TestMatcher.run(["people"] + store).errorOutput == ["5 people"])
    }

    @Test func `What passes to another person is imported only with consent`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let file = try directory.write("next.csv", "number,name,subject\n21,Li Wei,phone:two phone:one\n20,Li Wei,\n")
        let command = ["people", "import", file, "--keep"]
        let trial = try await TestMatcher.run(command + ["--dry-run"] + store)
        #expect(trial.status == 0)
        #expect(trial.output.first == "passed on: phone:one from Li Wei (20) to Li Wei (21)", "\(trial)")
        #expect(trial.errorOutput.joined(separator: " ").contains("--pass-on"), "\(trial)")
        let refused = try await TestMatcher.run(command + store)
        let said = refused.errorOutput.joined(separator: "\n")
        #expect(refused.status == 65 && refused.output.isEmpty)
        #expect(said.contains("next.csv gives 1 badge or phone to another person"), "\(said)")
        #expect(said.contains("  phone:one from Li Wei (20) to Li Wei (21)"), "\(said)")
        #expect(said.contains("beacon-matcher erase KIND:ID") && said.contains("--pass-on"), "\(said)")
        let before = try await TestMatcher.run(["people", "list", "20", "--json"] + store)
        #expect(before.output.first?.contains("phone:one") == true, "\(before)")
        let done = try await TestMatcher.run(command + ["--pass-on"] + store)
        #expect(done.status == 0)
        #expect(done.errorOutput == ["0 new, 2 changed, 0 removed, 0 unchanged, 1 passed on"], "\(done)")
    }

    @Test func `What was erased first passes on without consent`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let file = try directory.write("next.csv", "number,name,subject\n21,Li Wei,phone:two phone:one\n")
        #expect(try await TestMatcher.run(["erase", "phone:one", "--yes"] + store).status == 0)
        let done = try await TestMatcher.run(["people", "import", file, "--keep"] + store)
        #expect(done.status == 0)
        #expect(done.errorOutput == ["0 new, 1 changed, 0 removed, 0 unchanged"], "\(done)")
    }

    @Test func `Exposures of a person are those of the person's devices, with names`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        for positive in ["Anna Smith", "smith, anna", "17"] {
            let result = try await TestMatcher.run(Self.exposures(positive, store))
            #expect(result.status == 0, "\(result)")
            #expect(result.output.count == 2, "\(result)")
            #expect(result.output.last?.hasPrefix("Ben Müller (18)  ") == true, "\(result)")
            #expect(
                result.errorOutput.first
                    == "Smith, Anna (17): \(BadgeRecords.badge(1)), phone:never-received", "\(result)")
        }
        let json = try await TestMatcher.run(Self.exposures("17", ["--json"] + store))
        let told = try JSON.decode(Exposure.self, from: Array(try #require(json.output.first).utf8))
        #expect(told.subject.person == .init(number: "18", name: "Ben Müller"))
        #expect(told.positive.allSatisfy { $0.person == .init(number: "17", name: "Smith, Anna") })
        #expect(told.positive.map(\.kind) == ["badge", "phone"])
    }

    @Test(
        "Who is not named in full must be chosen",
        arguments: [
            ("Li Wei", "2 people are named \"Li Wei\":", "  21  Li Wei"),
            ("Ben", "\"Ben\" is nobody's whole name or number; 2 people fit:", "  18  Ben Müller"),
            ("Anna", "\"Anna\" is nobody's whole name or number; 1 person fits:", "  17  Smith, Anna"),
            ("Zoe", "the register has nobody with the name or number \"Zoe\"", "people list"),
            ("19", "the register has no badge or phone of Ben Miller (19)", "import that again"),
        ])
    func choices(text: String, first: String, other: String) async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        for command in [["report", text] + store, Self.exposures(text, store)] {
            let result = try await TestMatcher.run(command)
            let said = result.errorOutput.joined(separator: "\n")
            #expect(result.status == 64 && result.output.isEmpty, "\(result)")
            #expect(said.contains(first) && said.contains(other), "\(said)")
        }
        #expect(try await TestMatcher.run(["reports"] + store).errorOutput == ["0 reports"])
    }

    @Test func `Without a register a name is refused with what to do`() async throws {
        let directory = try TemporaryDirectory()
        let store = ["--store", directory.path + "/s.sqlite"]
        let lines = BadgeRecords.lines([.init(badge: 1, minutes: 0...20, metres: 1)])
        _ = try await TestMatcher.run(
            ["import", try directory.write("r.jsonl", lines), "--as-of", "2026-11-02T12:00:00Z"] + store)
        let result = try await TestMatcher.run(["report", "Ann"] + store)
        #expect(result.status == 64)
        #expect(
            result.errorOutput.joined(separator: " ").contains("the register of people is empty")
                && result.errorOutput.joined(separator: " ").contains("people import FILE"), "\(result)")
    }

    @Test func `A report of a person has all devices, and lists show the name`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let asOf = ["--as-of", "2026-11-02T12:00:00Z"]
        let filed = try await TestMatcher.run(["report", "Anna Smith", "--json"] + asOf + store)
        #expect(filed.status == 0, "\(filed)")
        let document = try JSON.decode(Filed.self, from: Array((filed.output.first ?? "").utf8))
        #expect(document.subjects.map(\.kind) == ["badge", "phone"])
        #expect(document.subjects.allSatisfy { $0.person?.number == "17" })
        #expect(document.exposed.map(\.person) == [.init(number: "18", name: "Ben Müller")])
        let reports = try await TestMatcher.run(["reports"] + store)
        #expect(reports.output.contains { $0.contains("  Smith, Anna (17)") }, "\(reports)")
        #expect(!reports.output.joined().contains("badge:"), "\(reports)")
    }

    @Test func `A report says the names of those who were exposed, beside their identifiers`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let filed = try await TestMatcher.run(["report", "18", "--as-of", "2026-11-02T12:00:00Z"] + store)
        #expect(filed.output.last == "\(BadgeRecords.badge(1))  Smith, Anna (17)", "\(filed)")
    }

    @Test func `Erasing a device says what becomes of its person`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let one = try await TestMatcher.run(["erase", "phone:never-received", "--yes"] + store)
        #expect(one.status == 0)
        #expect(
            one.output.contains(
                "the register of people: it belongs to Smith, Anna (17), whose entry stays, with 1 other badge or phone"
            ),
            "\(one)")
        let last = try await TestMatcher.run(["erase", BadgeRecords.badge(1), "--yes", "--json"] + store)
        #expect(last.status == 0)
        let erased = try JSON.decode(Erased.self, from: Array((last.output.last ?? "").utf8))
        #expect(erased.register == "person")
        #expect(try await TestMatcher.run(["people", "list", "17"] + store).errorOutput == ["0 people"])
    }

    @Test func `A person is removed only with consent`() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Self.prepared(directory)
        let asked = try await TestMatcher.run(["people", "remove", "17"] + store)
        #expect(asked.status == 64 && asked.errorOutput.joined(separator: " ").contains("--yes"), "\(asked)")
        let removed = try await TestMatcher.run(["people", "remove", "17", "--yes"] + store)
        #expect(removed.output == ["removed Smith, Anna (17) from the register"])
        let again = try await TestMatcher.run(["people", "remove", "17", "--yes"] + store)
        #expect(again.status == 64)
    }
}
