import RecordContract
import Testing

@testable import GatewayCore
@testable import OperatorText
@testable import Publishing

@Suite("Keys for signing in a gateway's configuration") struct SigningTableTests {
    private struct Missing: Error {}

    private func parse(
        _ tables: String, secrets: SecretAccess = SecretAccess()
    ) throws(ConfigurationError) -> Configuration {
        return try Configuration.parse(PlaceTable.text + tables, path: "gateway.toml", secrets: secrets) { path in
            switch path {
            case "/key": Array((String(repeating: "ab", count: 32) + "\n").utf8)
            case "/raw": Array(0..<32)
            default: throw Missing()
            }
        }
    }

    @Test func `Both keys are read, and a change of the first needs a restart`() throws {
        let key = SigningKey(file: Array(String(repeating: "ab", count: 32).utf8))
        let signed = try parse("[signing]\nkey-file = \"/key\"")
        #expect(signed.signingKey == key && signed.commands.key == nil)
        #expect(try parse("[commands]\nkey-file = \"/key\"").commands.key == key)
        #expect(try ConfigurationChange(from: parse(""), to: signed).needsRestart == ["signing"])
    }

    @Test(
        "What is no key is reported, with the command that makes one",
        arguments: [("signing", "beacon-matcher gateway-key"), ("commands", "beacon-gateway command-key")])
    func wrong(table: String, command: String) {
        do throws(ConfigurationError) {
            _ = try parse("[\(table)]\nkey-file = \"/raw\"")
            Issue.record("it was taken")
        } catch {
            #expect(error.problems.first?.location == "\(table).key-file")
            #expect(error.problems.first?.allowed.contains(command) == true)
        }
    }

    @Test func `A table signing without a key is a mistake; who needs no keys needs no right to read them`() throws {
        #expect(throws: ConfigurationError.self) { _ = try parse("[signing]") }
        let nobody = SecretAccess(for: [], hasCredentials: false)
        let configuration = try parse("[signing]\nkey-file = \"credential:signing\"", secrets: nobody)
        #expect(configuration.signingKey == nil)
    }

    @Test func `No key is warned of where the broker is on another machine, also when only the service has it`() throws
    {
        let remote = "[mqtt]\nhost = \"broker.example.org\"\nusername = \"g\"\n[mqtt.tls]\n"
        #expect(try parse(remote).warnings.map(\.key) == ["signing.key-file"])
        #expect(try parse("").warnings == [])
        #expect(try parse(remote + "[signing]\nkey-file = \"/key\"").warnings == [])
        let nobody = SecretAccess(for: [], hasCredentials: false)
        let unseen = try parse(remote + "[signing]\nkey-file = \"credential:signing\"", secrets: nobody)
        #expect(unseen.signingKey == nil && unseen.warnings == [])
    }

    // Nodes sign nothing: what a broker that was taken over says in their name would be signed.
    @Test func `The word of remote receivers is signed only where the configuration says so, which is warned of`()
        throws
    {
        let receivers = "\n[[remote-receivers]]\nname = \"kitchen\"\nkind = \"espresense\"\n"
        for (line, found) in [("", "is missing"), ("remote-receivers = false\n", "is false")] {
            let error = #expect(throws: ConfigurationError.self) {
                _ = try parse("[signing]\nkey-file = \"/key\"\n" + line + receivers)
            }
            #expect(
                error?.problems.map(\.location) == ["signing.remote-receivers"] && error?.problems.first?.found == found
            )
        }
        let signed = try parse("[signing]\nkey-file = \"/key\"\nremote-receivers = true\n" + receivers)
        #expect(signed.warnings.map(\.key) == ["signing.remote-receivers"])
        #expect(try parse(receivers).warnings == [] && parse("[signing]\nkey-file = \"/key\"").warnings == [])
    }
}
