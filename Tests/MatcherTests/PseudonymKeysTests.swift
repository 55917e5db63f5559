import InteractionStore
import MatcherCore
import OperatorText
import RecordContract
import Testing

@testable import MatcherDaemon

@Suite struct PseudonymKeysTests {
    private let files = [
        "/a": "0123456789abcdef0123456789abcdef", "/b": "fedcba9876543210fedcba9876543210", "/short": "0123456789",
        "/c": "0123456789abcdef0123456789abcdef",
    ]

    private func parse(_ line: String) throws(ConfigurationError) -> MatcherConfiguration {
        try MatcherConfiguration.parse("[reports]\n\(line)\n", path: "/m.toml") { path in
            guard let text = files[path] else { throw StoreError("open \(path): No such file or directory") }
            return Array(text.utf8)
        }
    }

    @Test func `Several keys are taken, and the check names them without saying them`() throws {
        let reports = try parse(#"pseudonym-key-files = ["/a", "/b"]"#).reports
        #expect(reports.pseudonymKeys == ["/a", "/b"].map { Array((files[$0] ?? "").utf8) })
        let ids = reports.pseudonymKeys.map(Pseudonymizer.keyID(of:))
        #expect(ids.allSatisfy { $0.utf8.count == 8 } && ids[0] != ids[1])
        #expect(reports.pseudonymKeysLine == "phones are matched by pseudonym keys \(ids[0]), \(ids[1])")
        #expect(try parse("").reports.pseudonymKeysLine == nil)
    }

    @Test(arguments: [
        (#"pseudonym-key-file = "/a""#, "reports.pseudonym-key-file: is no longer supported"),
        ("pseudonym-key-files = []", "reports.pseudonym-key-files: has 0 entries"),
        (#"pseudonym-key-files = ["/a", "/c"]"#, "reports.pseudonym-key-files[1]: /c has key"),
        (#"pseudonym-key-files = ["/a", "/short"]"#, "reports.pseudonym-key-files[1]: /short has 10 bytes"),
        (#"pseudonym-key-files = ["/none"]"#, "reports.pseudonym-key-files[0]: "),
    ])
    func `What can't be a list of keys is refused with its place`(line: String, problem: String) {
        let error = #expect(throws: ConfigurationError.self) { try parse(line) }
        let problems = error?.problems.map(\.description) ?? []
        #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
    }
}
