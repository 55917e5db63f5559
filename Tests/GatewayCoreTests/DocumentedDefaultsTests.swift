import TestValues
import Testing

@testable import GatewayCore

@Suite struct DocumentedDefaultsTests {
    @Test func `What the guide's complete example calls a default is the default`() throws {
        let guide = try String(decoding: Repository.read("docs/guide/configuration.md"), as: UTF8.self)
        let block = try #require(guide.split(separator: "```toml\n").dropFirst().first?.split(separator: "```").first)
        let lines = block.split(separator: "\n")
        let whole = try described(lines)
        let defaults = lines.indices.filter { lines[$0].contains(/# default([;,]|$)/) }
        #expect(defaults.count > 40)
        for index in defaults {
            var others = lines
            others.remove(at: index)
            #expect(try described(others) == whole, "\(lines[index])")
        }
    }

    /// Everything that a configuration consists of.
    ///
    /// - Returns: its lines in alphabetical order, because sets have no order of their own.
    private func described(_ lines: [Substring]) throws -> [Substring] {
        var configuration = try ConfigurationTests().parse(
            lines.joined(separator: "\n"), files: ConfigurationTests.exampleFiles)
        configuration.signingKey = nil
        var text = ""
        dump(configuration, to: &text)
        return text.split(separator: "\n").sorted()
    }
}
