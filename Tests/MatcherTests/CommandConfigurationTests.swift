import OperatorText
import RecordContract
import Testing

@testable import MatcherDaemon

@Suite("The table commands of a matcher") struct CommandConfigurationTests {
    private static let files = ["/commands": [UInt8](0..<32), "/short": [1, 2]]
    private static let page = """
        [api]
        listen = "127.0.0.1:8480"
        [page]
        base-url = "http://127.0.0.1:8480"

        """

    private struct Missing: Error {}

    private func parse(_ text: String) throws(ConfigurationError) -> MatcherConfiguration {
        try MatcherConfiguration.parse(text, path: "m.toml") { path in
            guard let contents = Self.files[path] else { throw Missing() }
            return contents
        }
    }

    private func problems(_ text: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try parse(text)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("Commands are signed with the site's secret, or not signed if it says so; without the table there are none")
    func settings() throws {
        let signed = try parse(Self.page + "[commands]\nkey-file = \"/commands\"")
        let site = try #require(SiteKey(secret: Self.files["/commands"] ?? []))
        #expect(signed.commands == .signed(site))
        #expect(signed.commands?.key(of: "a/b/c/d") == site.commandKey("a/b/c/d"))
        #expect(signed.commandsLine?.hasPrefix("commands to modules are on: signed") == true)
        let unsigned = try parse(Self.page + "[commands]\nsigned = false")
        #expect(unsigned.commands == .unsigned && unsigned.commands?.key(of: "a/b/c/d") == nil)
        #expect(unsigned.commandsLine == "commands to modules are on: not signed")
        let none = try parse(Self.page)
        #expect(none.commands == nil && none.commandsLine?.hasPrefix("commands to modules are off") == true)
        #expect(try parse("").commandsLine == nil)
    }

    @Test(
        "What is missing or wrong is named",
        arguments: [
            ("", "commands.key-file"), ("key-file = \"/short\"", "2 bytes"), ("key-file = \"/none\"", "key-file"),
            ("key-file = \"/commands\"\nsigned = false", "together with signed = false"),
            ("key-files = [\"/commands\"]\nsigned = false", "commands.key-files"),
        ])
    func wrong(text: String, found: String) {
        let problems = problems(Self.page + "[commands]\n" + text)
        #expect(problems.count == 1 && problems.first?.contains(found) == true, "\(problems)")
    }

    @Test("Without a page nobody could give commands") func page() {
        #expect(problems("[commands]\nsigned = false").first?.contains("without [page]") == true)
    }

    @Test("A reload takes up another key") func reload() throws {
        let old = try parse(Self.page)
        let new = try parse(Self.page + "[commands]\nkey-file = \"/commands\"")
        #expect(old.takingUp(new).commands == new.commands && old.needsRestart(to: new).isEmpty)
    }
}
