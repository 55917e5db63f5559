import InteractionStore
import RecordContract
import TestSupport
import Testing

@testable import MatcherCore

@Suite("Codes of enrolment from the command line", .timeLimit(.minutes(10))) struct EnrolmentCommandTests {
    private struct Issued: Decodable { var code: String, label: String, uses: Int, expires: String }
    private struct Listed: Decodable { var label: String, codes: Int, uses: Int, used: Int, expires: String }

    @Test func `Codes are issued, listed without them, and revoked`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s.sqlite"
        let store = ["--store", path]
        _ = try InteractionStore.open(.sqlite(path))
        let issued = try await TestMatcher.run(
            ["enrolment", "issue", "--count", "2", "--uses", "3", "--valid", "2h", "--label", "Physics", "--json"]
                + store)
        #expect(issued.status == 0, "\(issued)")
        let codes = try issued.output.map { try JSON.decode(Issued.self, from: Array($0.utf8)) }
        #expect(codes.count == 2 && codes.allSatisfy { $0.uses == 3 && $0.label == "Physics" })
        let plain = try await TestMatcher.run(["enrolment", "issue"] + store)
        #expect(plain.output.count == 1 && plain.output.allSatisfy { EnrolmentCode.parse($0) != nil }, "\(plain)")
        let code = try #require(codes.first.flatMap { EnrolmentCode.parse($0.code) })
        #expect(try InteractionStore.open(.sqlite(path)).enrol(code: code, now: 0))
        let listed = try await TestMatcher.run(["enrolment", "--json"] + store)
        let labels = try listed.output.map { try JSON.decode(Listed.self, from: Array($0.utf8)) }
        #expect(labels.map(\.codes) == [2, 1] && labels.map(\.uses) == [6, 1] && labels.map(\.used) == [1, 0])
        #expect(labels.first?.label == "Physics")
        let table = try await TestMatcher.run(["enrolment"] + store)
        #expect(table.output.count == 3)
        for code in codes.map(\.code) + plain.output {
            #expect(!(listed.output + table.output).joined().contains(code))
        }
        let revoked = try await TestMatcher.run(["enrolment", "revoke", "Physics"] + store)
        #expect(revoked.output == ["2 codes were revoked"])
        #expect(try !InteractionStore.open(.sqlite(path)).enrol(code: code, now: 0))
        let again = try await TestMatcher.run(["enrolment", "revoke", "Physics"] + store)
        #expect(
            again.status == 65 && again.errorOutput.joined().contains("there are no codes with the label"), "\(again)")
    }

    @Test func `A check warns of phones that are believed too much`() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "m.toml",
            """
            [store]
            location = "\(directory.path)/s.sqlite"
            [mqtt]
            host = "127.0.0.1"
            [api]
            listen = "127.0.0.1:0"
            [phones]
            enrolment = "open"
            """)
        let checked = try await TestMatcher.run(["run", "--check", "--config", file])
        #expect(checked.status == 0)
        #expect(checked.errorOutput.contains { $0.hasPrefix("warning: phones.enrolment is \"open\":") }, "\(checked)")
        #expect(checked.errorOutput.contains { $0.contains("phones.proof-uuid is missing") }, "\(checked)")
    }
}
