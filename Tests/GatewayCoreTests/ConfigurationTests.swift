import BeaconModel
import Proximity
import SystemIO
import TestValues
import Testing

@testable import GatewayCore
@testable import HCI
@testable import ModuleDialogues
@testable import OperatorText
@testable import Publishing
@testable import RecordContract

@Suite struct ConfigurationTests {
    static let minimal = """
        [place]
        site = "mcgill"
        building = "trottier"
        floor = "3"
        gateway = "gw-3a"
        [beacons]
        uuids = ["E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"]
        """

    /// The files that the guide's complete example names.
    static let exampleFiles: [String: [UInt8]] = [
        "credential:mqtt-password": Array("secret\n".utf8), "/etc/beacon-gateway/ca.pem": [],
        "/etc/beacon-gateway/gw-3a.pem": [], "/etc/beacon-gateway/gw-3a.key": [],
        "/etc/beacon-gateway/pseudonym-key": Array(repeating: 7, count: 32),
        "/etc/beacon-gateway/commands.key": Array(String(repeating: "0a", count: 32).utf8),
        "/etc/beacon-gateway/signing.key": Array(String(repeating: "0b", count: 32).utf8),
        "/etc/beacon-gateway/module.profile": Array(
            """
            # beacon-gateway module profile 1
            firmware = '1610.2.5.2.0.4'
            date = '2020-11-15T12:00:00.000Z'

            [settled]
            non-connectable = false
            """.utf8),
        "/etc/beacon-gateway/calibration.toml": Array(
            """
            [[receivers]]
            address = "00:1A:7D:DA:71:13"
            offset = -3.5
            """.utf8),
    ]

    func parse(_ text: String, files: [String: [UInt8]] = [:]) throws -> Configuration {
        try Configuration.parse(text, path: "gateway.toml") { path in
            guard let contents = files[path] else { throw SystemError("open \(path)", errorNumber: 2) }
            return contents
        }
    }

    func problems(_ text: String, files: [String: [UInt8]] = [:]) -> [String] {
        errors(text, files: files).map(\.description)
    }

    /// Returns the problems of a configuration, with the file and their positions.
    private func lines(_ text: String) -> [String] { errors(text).map { $0.line(in: "gateway.toml") } }

    private func errors(_ text: String, files: [String: [UInt8]] = [:]) -> [ConfigurationProblem] {
        do {
            _ = try parse(text, files: files)
            return []
        } catch {
            guard let error = error as? ConfigurationError else {
                return [ConfigurationProblem(found: "\(error)", allowed: "must be a ConfigurationError")]
            }
            return error.problems
        }
    }

    @Test("The minimum is a place and a UUID; everything else has a default")
    func defaults() throws {
        let configuration = try parse(Self.minimal)
        #expect(configuration.topics.root == "beacons/v1/mcgill/trottier/3/gw-3a")
        #expect(configuration.broker.preferred.host == "localhost")
        #expect(configuration.broker.preferred.port == 1883)
        #expect(configuration.adapters == [.index(Adapter(index: 0))])
        #expect(configuration.rules.silence == InteractionRules.Silence())
        #expect(configuration.inventory.entries == [])
        #expect(configuration.pseudonymSecret == nil)
    }

    @Test("The complete example of the guide is good, and uses every key")
    func readme() throws {
        let text = String(
            decoding: try Repository.read("docs/guide/configuration.md"), as: UTF8.self)
        let block = try #require(text.components(between: "```toml\n", and: "```"))
        let configuration = try parse(block, files: Self.exampleFiles)
        #expect(configuration.moduleProfile[.nonConnectable] == false)
        #expect(configuration.broker.password == "secret")
        #expect(configuration.inventory.entries.count == 1)
        #expect(
            configuration.rules.distance.calibration.receivers.values.map(\.offset) == [-3.5])
        #expect(configuration.rules.silenceOfBeacons.values.map(\.falseEndProbability) == [0.001])
        #expect(configuration.rules.distance.beacons == .general)
        #expect(configuration.rules.distance.phones == .phoneToGateway)
        #expect(configuration.socialDistance == SocialDistanceRules())
        for key in [
            "room", "position", "beacon", "username", "keep-alive", "max-size", "ca-file", "silence", "capacity",
        ] {
            #expect(block.contains("\(key) ="), "\(key) is not in the example")
        }
        let modules = try #require(block.ranges(of: "[[modules]]").first.map { block[$0.upperBound...] })
        for key in [
            "name", "module", "kind", "uuid", "major", "minor", "measured-power", "interval", "transmit-power", "room",
            "position",
        ] {
            #expect(modules.contains("\n\(key) ="), "\(key) is not in the example of a module")
        }
    }

    @Test("All that is wrong is said at once, each with its position, key, what was found and what is allowed")
    func everythingAtOnce() {
        let found = lines(
            """
            [place]
            site = "McGill"
            building = 7
            gateway = "gw-3a"
            position = { x = "left", y = 2 }
            [mqtt]
            port = 99999
            keep-alive = "soon"
            [beacons]
            uuids = ["E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", "123"]
            [radio]
            adapter = "wlan0"
            [interactions]
            silence = "0s"
            [[modules]]
            name = "door"
            module = "/dev/ttyUSB0"
            uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
            major = 65536
            minor = -1
            measured-power = -200
            interval = "5ms"
            """)
        let expected = [
            "gateway.toml:2:1: place.site: found \"McGill\"; must be made up of a-z, 0-9 and hyphens",
            "gateway.toml:3:1: place.building: found a whole number; must be a string in quotes",
            "gateway.toml:1:2: place.floor: is missing; must be made up of",
            "gateway.toml:5:14: place.position.x: found a string; must be a number",
            "gateway.toml:7:1: mqtt.port: found 99999; must be from 1 to 65535",
            "gateway.toml:8:1: mqtt.keep-alive: found \"soon\"; must be a number with a unit",
            "gateway.toml:10:50: beacons.uuids[1]: found \"123\"; must be a UUID",
            "gateway.toml:12:1: radio.adapter: found \"wlan0\"; must be hci0",
            "gateway.toml:14:1: interactions.silence: found \"0s\"; must be",
            "gateway.toml:19:1: modules[0].major: found 65536; must be from 0 to 65535",
            "gateway.toml:20:1: modules[0].minor: found -1; must be from 0 to 65535",
            "gateway.toml:21:1: modules[0].measured-power: found -200; must be from -127 to 20",
            "gateway.toml:22:1: modules[0].interval: found \"5ms\"; must be a number with a unit: 100ms, 30s, 5m, 1h, from 20ms to 10.24s",
        ]
        for prefix in expected { #expect(found.contains { $0.hasPrefix(prefix) }, "\(prefix) not in \(found)") }
        #expect(found.count == expected.count, "\(found)")
    }

    @Test("Several adapters are named by their numbers or addresses")
    func adapters() throws {
        let configuration = try parse(
            Self.minimal + "\n[radio]\nadapters = [\"hci1\", \"00:1A:7D:DA:71:13\"]\npath = \"user-channel\"\n")
        let address = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
        #expect(configuration.adapters == [.index(Adapter(index: 1)), .address(address)])
        #expect(configuration.scanPath == .userChannel)
    }

    @Test(
        "Adapters that are named twice, in two ways, or are none are refused",
        arguments: [
            ("adapters = [\"hci0\", \"hci0\"]", "radio.adapters[1]: \"hci0\" is duplicated"),
            ("adapter = \"hci0\"\nadapters = [\"hci1\"]", "radio.adapters: is given together with adapter"),
            ("adapters = []", "radio.adapters: is empty"),
            ("adapters = [\"eth0\"]", "radio.adapters[0]: found \"eth0\"; must be hci0, hci1"),
            ("path = \"usb\"", "radio.path: found \"usb\"; must be auto, raw, user-channel, monitor, dbus"),
        ])
    func badAdapters(lines: String, problem: String) {
        let found = problems(Self.minimal + "\n[radio]\n\(lines)\n")
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }

    @Test("A syntax error has its line and column")
    func syntax() {
        let error = #expect(throws: ConfigurationError.self) { _ = try parse("[place]\nsite = = 1\n") }
        #expect(
            error?.what == """
                gateway.toml has 1 problem
                  gateway.toml:2:8: found "="; must be a value
                """)
    }

    @Test("A misspelt key is an error that names the known ones")
    func unknownKey() {
        let found = problems(Self.minimal + "\n[mqtt]\nprot = 1883\n")
        #expect(found.count == 1)
        #expect(
            found.first?.hasPrefix("mqtt.prot: is unknown; the keys of this table are acknowledge-timeout, brokers, ")
                == true,
            "\(found)")
    }

    @Test("An unknown table is an error")
    func unknownTable() {
        #expect(problems(Self.minimal + "\n[mqqt]\n").first?.hasPrefix("mqqt: is unknown") == true)
    }

    @Test("A gateway that would publish nothing is refused")
    func nobody() {
        let found = problems(Self.minimal.replacing("\"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0\"", with: ""))
        #expect(found.first?.hasPrefix("beacons.uuids: is empty") == true, "\(found)")
    }

    @Test("A mistake is said once, and nothing that only follows from it")
    func once() {
        let uuid = problems(Self.minimal.replacing("E2C56DB5", with: "E2C56DB"))
        #expect(uuid.map { $0.prefix(25) } == ["beacons.uuids[0]: found \""])
        let list = problems(Self.minimal.replacing("[\"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0\"]", with: "7"))
        #expect(list.map { $0.prefix(20) } == ["beacons.uuids: found"])
        let beacon =
            "\n[place.beacon]\nuuid = \"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0\"\nmajor = 1\nminor = 1\n"
        let key = problems(
            Self.minimal + beacon + "[phones]\npseudonym-key-file = \"/none\"\n[exchange]\napps = [\"c19x\"]\n")
        #expect(key.map { $0.prefix(25) } == ["phones.pseudonym-key-file"], "\(key)")
    }

    @Test("A duration without a unit is told the unit")
    func unit() {
        #expect(
            problems(Self.minimal + "\n[mqtt]\nkeep-alive = 30\n")
                == ["mqtt.keep-alive: found 30; must have a unit, in quotes: \"30s\""])
    }

    @Test("Two modules with one name, one port or one identity are refused")
    func twins() {
        let module = """

            [[modules]]
            name = "door"
            module = "/dev/ttyUSB0"
            uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
            major = 1
            minor = 1
            """
        let found = problems(Self.minimal + module + module)
        #expect(
            found == [
                "modules[1].name: \"door\" is used twice, in modules[0] too; must be unique",
                "modules[1].module: \"/dev/ttyUSB0\" is used twice, in modules[0] too; must be unique",
                "modules[1].minor: e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1 is used twice, in modules[0] too; the "
                    + "combination of uuid, major and minor must be unique",
            ], "\(found)")
    }

    @Test("The key port, which was replaced by module, is an error that says so, and the only one")
    func port() {
        let module = """

            [[modules]]
            name = "door"
            port = "/dev/ttyUSB0"
            uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
            major = 1
            minor = 1
            """
        let found = problems(Self.minimal + module)
        #expect(
            found == ["modules[0].port: is no longer supported; use module = \"/dev/serial/by-id/...\""], "\(found)")
    }

    @Test("A place whose topics would be too long for a broker is refused")
    func longTopics() {
        let long = Self.minimal.replacing("gw-3a", with: String(repeating: "g", count: 150))
        #expect(problems(long).first?.contains("longer than 200 bytes") == true)
    }

    @Test("The error names the file and counts the problems")
    func error() {
        let error = #expect(throws: ConfigurationError.self) { _ = try parse("") }
        #expect(error?.what.hasPrefix("gateway.toml has 2 problems\n  gateway.toml: place: is missing") == true)
        #expect(error?.exitStatus == .configuration)
    }
}

extension String {
    /// What stands between the first `start` and the next `end`.
    fileprivate func components(between start: String, and end: String) -> String? {
        guard let begin = ranges(of: start).first?.upperBound,
            let finish = self[begin...].ranges(of: end).first?.lowerBound
        else { return nil }
        return String(self[begin..<finish])
    }
}
