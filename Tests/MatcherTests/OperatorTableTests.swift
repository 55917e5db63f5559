import OperatorText
import Testing

@testable import MatcherDaemon

@Suite("The tables of operators") struct OperatorTableTests {
    private func table(_ name: String, _ file: String) -> String {
        "[[operators]]\nname = \"\(name)\"\ntoken-file = \"\(file)\"\n"
    }

    /// Each file holds its own path, often enough for a token.
    private func problems(_ text: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try MatcherConfiguration.parse(text, path: "m.toml") { path in
                path == "/short" ? Array("short\n".utf8) : Array((String(repeating: path, count: 16) + "\nmore").utf8)
            }
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `Sixty-four operators have names and tokens of their own`() {
        let tables = (0..<64).map { table("desk-\($0)", "/t\($0)") }.joined()
        #expect(problems(tables) == [])
        #expect(problems(tables + table("one-more", "/t")).contains { $0.contains("operators: has 65 entries") })
    }

    @Test func `What two can't share, or is no name or token, is said`() {
        func first(_ text: String) -> String { problems(text).first ?? "nothing" }
        #expect(first(table("a", "/1") + table("a", "/2")).hasPrefix("operators[1].name: found \"a\" again"))
        #expect(
            first(table("a", "/1") + table("b", "/1")).hasPrefix("operators[1].token-file: has another operator's"))
        for name in ["", "Desk", "a b", "a/b", String(repeating: "a", count: 65)] {
            #expect(first(table(name, "/1")).hasPrefix("operators[0].name: found"), "\(name)")
        }
        #expect(first(table("a", "/short")).hasPrefix("operators[0].token-file: its first line has 5 bytes"))
        #expect(first("[[operators]]\nname = \"a\"").hasPrefix("operators[0].token-file: is missing"))
    }

    @Test func `The key of before says what to write instead`() {
        let found = problems("[api]\nlisten = \"127.0.0.1:0\"\noperator-token-file = \"/t\"")
        #expect(
            found.contains { $0.hasPrefix("api.operator-token-file: ") && $0.contains("[[operators]]") }, "\(found)")
    }

    @Test func `A token is its operator's, and nobody's when it is another`() {
        let operators = [("desk", "0123456789abcdef"), ("porter", "fedcba9876543210")].map {
            OperatorCredential(name: $0.0, token: Array($0.1.utf8))
        }
        #expect(OperatorCredential.name(of: "fedcba9876543210", among: operators) == "porter")
        #expect(OperatorCredential.name(of: "0123456789abcdef", among: operators) == "desk")
        for token in [nil, "", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF"] {
            #expect(OperatorCredential.name(of: token, among: operators) == nil)
        }
        #expect(!"\(operators)".contains("0123456789abcdef"))
    }
}
