import OperatorText
import RecordContract
import Testing

@testable import MatcherDaemon
@testable import Publishing

@Suite("The table signing of a matcher") struct SigningConfigurationTests {
    private static let files = ["/new": [UInt8](0..<32), "/old": Array(1..<33), "/short": [1, 2]]

    private struct Missing: Error {}

    private func parse(_ text: String) throws(ConfigurationError) -> MatcherConfiguration {
        try MatcherConfiguration.parse(text, path: "m.toml") { path in
            guard let contents = Self.files[path] else { throw Missing() }
            return contents
        }
    }

    private func problem(_ text: String) -> String? {
        do throws(ConfigurationError) {
            _ = try parse(text)
            return nil
        } catch {
            return error.problems.map(\.description).joined(separator: "\n")
        }
    }

    @Test func `Keys are required of everybody unless it is said otherwise; without the table nobody is asked`() throws
    {
        #expect(try parse("").signing == nil)
        let both = try parse("[signing]\nkey-files = [\"/new\", \"/old\"]").signing
        let keys = [Self.files["/new"], Self.files["/old"]].compactMap { $0.flatMap { SiteKey(secret: $0) } }
        #expect(both == MessageVerifier(keys: keys, isRequired: true))
        #expect(try parse("[signing]\nkey-files = [\"/new\"]\nrequired = false").signing?.isRequired == false)
    }

    @Test func `What is wrong is said`() throws {
        #expect(problem("[signing]\nrequired = true")?.contains("key-files") == true)
        #expect(problem("[signing]\nkey-files = []")?.contains("0 entries") == true)
        #expect(problem("[signing]\nkey-files = [\"/short\"]")?.contains("2 bytes") == true)
        #expect(problem("[signing]\nkey-files = [\"/none\"]") != nil)
        #expect(problem("[signing]\nkey-file = \"/new\"") != nil)
    }

    @Test func `Other keys are taken up by a reload`() throws {
        let (old, new) = (
            try parse("[signing]\nkey-files = [\"/old\"]"), try parse("[signing]\nkey-files = [\"/new\", \"/old\"]")
        )
        #expect(old.takingUp(new).signing == new.signing && old.needsRestart(to: new).isEmpty)
    }

    @Test func `No keys are warned of where the broker is on another machine`() throws {
        let remote = "[mqtt]\nhost = \"broker.example.org\"\nusername = \"m\"\n[mqtt.tls]\n"
        #expect(try parse(remote).warnings.map(\.key) == ["signing"])
        let signed = try parse(remote + "[signing]\nkey-files = [\"/new\"]")
        #expect(signed.warnings == [])
        // Once, also where they were there before.
        #expect(MatcherReload.warnings(from: signed, to: try parse(remote)).map(\.key) == ["signing"])
    }

    @Test func `What became worse with another configuration is warned of, and what was so before isn't again`() throws
    {
        let strict = try parse("[signing]\nkey-files = [\"/new\"]")
        let lax = try parse("[signing]\nkey-files = [\"/new\"]\nrequired = false")
        let none = try parse("")
        func keys(_ old: MatcherConfiguration, _ new: MatcherConfiguration) -> [String] {
            MatcherReload.warnings(from: old, to: new).map(\.key)
        }
        #expect(keys(strict, lax) == ["signing.required"])
        #expect(keys(lax, lax) == [] && keys(lax, strict) == [] && keys(none, none) == [] && keys(none, strict) == [])
        #expect(keys(strict, none) == ["signing"])
    }
}
