import BeaconModel
import OperatorText
import Publishing
import RecordContract
import SystemIO
import Testing

@testable import GatewayCore

/// What a gateway's own file keeps, whatever comes from afar.
@Suite struct RolloutAnchorTests {
    private static let own = """
        local-socket = "off"
        [place]
        site = "s"
        building = "b"
        floor = "1"
        gateway = "g"
        [mqtt]
        prefix = "campus"
        host = "old.example.org"
        [commands]
        key-file = "commands.key"
        [state]
        directory = "/state"
        """

    private static let document = """
        [place]
        site = "s"
        building = "b"
        floor = "1"
        gateway = "g"
        room = "hall"
        [mqtt]
        prefix = "campus"
        host = "new.example.org"
        [beacons]
        uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
        [commands]
        per-minute = 20
        """

    private let files = ["commands.key": Array(String(repeating: "0a", count: 32).utf8)]

    private func readFile(_ path: String) throws -> [UInt8] {
        guard let contents = files[path] else { throw SystemError("open \(path)", errorNumber: 2) }
        return contents
    }

    private func anchor(_ text: String = own) throws -> RolloutAnchor {
        try RolloutAnchor.parse(
            text, path: "gateway.toml", secrets: SecretAccess(), readFile: readFile, locate: { $0 })
    }

    private func problems(_ text: String) throws -> [String] {
        let anchor = try anchor()
        do throws(ConfigurationError) {
            _ = try anchor.configuration(
                text, named: "revision 4f2c", secrets: SecretAccess(), readFile: readFile, locate: { $0 })
            return []
        } catch {
            return error.problems.map { $0.line(in: error.path) }
        }
    }

    @Test func `Everything but the anchor comes from afar`() throws {
        let anchor = try anchor()
        let configuration = try anchor.configuration(
            Self.document, named: "revision 4f2c", secrets: SecretAccess(), readFile: readFile, locate: { $0 })
        #expect(configuration.place.room == "hall")
        #expect(configuration.broker.endpoints.map(\.host) == ["new.example.org"])
        #expect(configuration.commands.perMinute == 20)
        #expect(configuration.commands.key == anchor.key && anchor.key != nil)
        #expect(configuration.stateDirectory == "/state" && configuration.localSocket == .off)
    }

    @Test(
        "What only the own file can say is refused, with its line",
        arguments: [
            ("[state]\ndirectory = \"/elsewhere\"", "14:2: state: cannot be set from afar"),
            ("[rollout]\nenabled = true", "14:2: rollout: cannot be set from afar"),
            ("key-file = \"other.key\"", "14:1: commands.key-file: cannot be set from afar"),
        ])
    func ownKeys(further: String, problem: String) throws {
        let found = try problems(Self.document + "\n" + further)
        #expect(found.contains { $0.hasPrefix("revision 4f2c:" + problem) }, "\(found)")
    }

    @Test func `A local socket from afar is refused`() throws {
        let found = try problems("local-socket = \"off\"\n" + Self.document)
        #expect(found.contains { $0.hasPrefix("revision 4f2c:1:1: local-socket: cannot be set") }, "\(found)")
    }

    @Test(
        "The configuration of another gateway is refused",
        arguments: [("gateway = \"g\"", "gateway = \"h\""), ("prefix = \"campus\"", "prefix = \"beacons\"")])
    func otherIdentity(own: String, other: String) throws {
        let found = try problems(Self.document.replacing(own, with: other))
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("which only its own file can change") == true, "\(found)")
    }

    @Test func `Faults are told as those of a file, with line, column and key`() throws {
        let found = try problems(
            Self.document.replacing("per-minute = 20", with: "per-minute = 0\nburts = 2"))
        #expect(found.count == 2, "\(found)")
        #expect(found.contains { $0.hasPrefix("revision 4f2c:13:1: commands.per-minute: found 0") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("revision 4f2c:14:1: commands.burts: is unknown") }, "\(found)")
        let other = try problems("= not TOML")
        #expect(other.count == 1 && other[0].hasPrefix("revision 4f2c:1:1: "), "\(other)")
    }

    @Test func `An own file that is out of date elsewhere is still an anchor`() throws {
        let anchor = try anchor(Self.own + "\n[beacons]\nuuids = 7\n[no-longer-there]\n")
        #expect(anchor == (try self.anchor()))
        #expect(anchor.obeys && anchor.refusal == nil)
    }

    @Test func `Without a key, or if its own file forbids it, a gateway is only configured locally`() throws {
        let keyless = try anchor(Self.own.replacing("key-file = \"commands.key\"", with: ""))
        #expect(!keyless.obeys && keyless.refusal?.contains("commands.key-file") == true)
        let forbidden = try anchor(Self.own + "\n[rollout]\nenabled = false")
        #expect(!forbidden.obeys && forbidden.refusal?.contains("rollout.enabled = false") == true)
    }

    @Test func `An own file without a place is no anchor`() {
        #expect(throws: ConfigurationError.self) { _ = try anchor("[mqtt]\nhost = \"a\"") }
        #expect(throws: ConfigurationError.self) { _ = try anchor("[place]\nsite = \"s\"") }
    }
}
