import BeaconModel
import Integrations
import Testing

@testable import GatewayCore
@testable import ModuleDialogues

extension ConfigurationTests {
    private static let badge = """
        [[known-beacons]]
        uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        major = 7
        minor = 1
        name = "Anna's badge"
        """

    @Test("No output is on by itself")
    func noOutputs() throws {
        let configuration = try parse(Self.minimal + "\n" + Self.badge)
        #expect(configuration.outputs.isEmpty)
        #expect(configuration.knownBeacons.map(\.name) == ["Anna's badge"])
    }

    @Test("A table that is there switches its output on, with defaults")
    func outputsOn() throws {
        let outputs = try parse(Self.minimal + "\n[home-assistant]\n[mqtt-room]\n[homie]\n[raddec]").outputs
        #expect(
            outputs == OutputSettings(homeAssistant: .init(), roomPresence: .init(), homie: .init(), raddec: .init()))
        #expect(outputs.homeAssistant?.discoveryPrefix == "homeassistant")
        #expect(outputs.roomPresence?.prefix == "espresense/devices")
        #expect(outputs.roomPresence?.interval == .seconds(5))
        #expect(outputs.homie?.prefix == "homie")
    }

    @Test("A table with enabled = false is checked, and its output is off")
    func outputsOff() throws {
        #expect(try parse(Self.minimal + "\n[homie]\nenabled = false").outputs.isEmpty)
        #expect(problems(Self.minimal + "\n[homie]\nenabled = false\nprefix = \"a b\"").count == 1)
    }

    @Test("Every key of an output is taken over")
    func outputKeys() throws {
        let outputs = try parse(
            Self.minimal + """

                [home-assistant]
                discovery-prefix = "ha/discovery"
                [mqtt-room]
                prefix = "room_presence"
                interval = "10s"
                [homie]
                prefix = "my-homie"
                [raddec]
                prefix = "raddecs"
                interval = "1m"
                """
        ).outputs
        #expect(outputs.homeAssistant?.discoveryPrefix == "ha/discovery")
        #expect(outputs.roomPresence?.prefix == "room_presence")
        #expect(outputs.roomPresence?.interval == .seconds(10))
        #expect(outputs.homie?.prefix == "my-homie")
        #expect(outputs.raddec?.prefix == "raddecs")
        #expect(outputs.raddec?.interval == .seconds(60))
    }

    @Test(
        "What is wrong about an output or a known beacon is said by key",
        arguments: [
            ("[home-assistant]\ndiscovery-prefix = \"home.assistant\"", "home-assistant.discovery-prefix: found"),
            ("[mqtt-room]\nprefix = \"a//b\"", "mqtt-room.prefix: found \"a//b\""),
            ("[mqtt-room]\ninterval = \"10ms\"", "mqtt-room.interval: found"),
            ("[homie]\nprefix = \"a/b\"", "homie.prefix: found \"a/b\""),
            ("[homie]\nqos = 2", "homie.qos: is unknown"),
            ("[raddec]\nenabled = \"yes\"", "raddec.enabled: found a string"),
            (
                "[raddec]\nprefix = \"\(String(repeating: "p", count: 180))\"",
                "raddec: has topics of more than 200 bytes"
            ),
            (badge.replacing("minor = 1\n", with: ""), "known-beacons[0].minor: is missing"),
            (badge.replacing("name = \"Anna's badge\"", with: ""), "known-beacons[0].name: is missing"),
            (
                badge + "\n" + badge,
                "known-beacons[1].minor: e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/1 already has a name"
            ),
            (badge.replacing("Anna's badge", with: " "), "known-beacons[0].name: found \" \""),
            (
                badge.replacing("e2c56db5", with: "00000000"),
                "known-beacons[0].uuid: 00000000-dffb-48d2-b060-d0f5a71096e0 is not in beacons.uuids"
            ),
            (
                badge + "\n" + badge.replacing("minor = 1", with: "minor = 2"),
                "known-beacons[1].name: \"Anna's badge\" is used twice"
            ),
        ])
    func outputProblems(tables: String, problem: String) {
        let found = problems(Self.minimal + "\n" + tables)
        #expect(found.contains { $0.contains(problem) }, "\(found)")
        #expect(found.count == 1, "\(found)")
    }

    @Test("Named beacons are the inventory's modules and the known ones; a module goes before its own second name")
    func namedBeacons() throws {
        let configuration = try parse(
            Self.minimal + "\n" + Self.badge + """

                [[modules]]
                name = "door"
                module = "any"
                uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
                major = 3
                minor = 1
                room = "3060"
                """)
        let named = configuration.namedBeacons(configuration.inventory)
        #expect(named.map(\.name) == ["door", "Anna's badge"])
        #expect(named.first?.module == .init(name: "door", room: "3060"))
        var later = configuration.inventory
        later.entries[0].configuration.beacon.major = 7
        #expect(configuration.namedBeacons(later).map(\.name) == ["door"])
    }
}

@Suite struct OutputClockTests {
    private func clock(_ room: Duration, _ raddec: Duration) -> OutputClock {
        var settings = OutputSettings(roomPresence: .init(), raddec: .init())
        settings.roomPresence?.interval = room
        settings.raddec?.interval = raddec
        return OutputClock(settings)
    }

    @Test("Each output has a tick at the end of each of its intervals")
    func ticks() {
        var clock = clock(.seconds(2), .seconds(3))
        let due = (0...6).map { clock.due(now: .seconds($0)) }
        #expect(due == [[], [], [.present], [.decodings], [.present], [], [.present, .decodings]])
    }

    @Test("What is a little late doesn't add up, and what is very late isn't made up for")
    func late() {
        var clock = clock(.seconds(2), .seconds(3600))
        #expect(clock.due(now: .milliseconds(2900)) == [.present])
        #expect(clock.due(now: .seconds(4)) == [.present])
        #expect(clock.due(now: .seconds(100)) == [.present])
        #expect(clock.due(now: .seconds(101)) == [])
    }

    @Test("Without outputs there is none")
    func none() {
        var clock = OutputClock(.init())
        #expect(clock.due(now: .seconds(1_000_000)) == [])
    }
}
