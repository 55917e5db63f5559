import OperatorText
import Testing

@Suite struct ConfigurationProblemTests {
    @Test(
        "What a file says in its keys never reaches a terminal as it is, nor makes a line of its own",
        arguments: [
            "\u{1B}]2;owned\u{7}", "\u{9B}31m", "\u{85}", "\u{202E}", "\u{2028}", "\r", "\nt.toml: line 1: forged",
        ])
    func controls(text: String) {
        let problem = ConfigurationProblem(location: text, found: text, allowed: text, file: text)
        let list = ConfigurationProblem.list([problem], in: "t.toml")
        #expect(list.split(separator: "\n").count == 2)
        #expect(!list.unicodeScalars.contains { $0 != "\n" && text.unicodeScalars.first == $0 }, "\(list)")
        let shown = text.shown(upTo: 100)
        #expect(problem.description == "\(shown): \(shown); \(shown)")
    }

    @Test("A key of the file is shown safely when it isn't known")
    func unknownKey() throws {
        let problems = TOMLReader.Problems()
        let reader = try #require(TOMLReader("\"\\u001b[31mRED\\nline 1: forged\" = 1\n", problems: problems))
        reader.finish()
        #expect(problems.all.map(\.description) == ["?[31mRED?line 1: forged: is unknown; the keys of this table are "])
    }

    @Test("A key without end is cut")
    func long() {
        let text = String(repeating: "a", count: 100_000)
        #expect(ConfigurationProblem(location: text, found: text, allowed: text).description.count < 5000)
    }
}
