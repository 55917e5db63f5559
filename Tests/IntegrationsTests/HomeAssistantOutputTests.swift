import BeaconModel
import Testing

@testable import Integrations
@testable import RecordContract
@testable import RecordContractTests

@Suite struct HomeAssistantOutputTests {
    private let settings = OutputSettings(homeAssistant: .init())
    private static let root = "homeassistant/device/bg_mcgill_trottier_3_gw-3a"
    private static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

    private func configurations(_ beacons: [NamedBeacon]) -> [MQTTMessage] {
        var outputs = Outputs(settings: settings, gateway: Fixtures.gateway)
        return outputs.batch(.named(beacons)).gateway
    }

    @Test("There is a retained configuration of the gateway, of each module and of each known beacon, and no other")
    func topics() {
        let messages = configurations([Fixtures.namedBadge, Fixtures.door])
        #expect(
            Set(messages.map(\.topic)) == [
                "\(Self.root)/config", "\(Self.root)_\(Self.uuid)_7_2603/config",
                "\(Self.root)_\(Self.uuid)_3_1/config",
            ])
        #expect(messages.allSatisfy { $0.isRetained && $0.qualityOfService == .atLeastOnce })
    }

    @Test(
        "The payloads are the golden ones",
        arguments: [
            ("", "home-assistant-gateway.json"), ("_\(uuid)_7_2603", "home-assistant-beacon.json"),
            ("_\(uuid)_3_1", "home-assistant-module.json"),
        ])
    func golden(suffix: String, file: String) throws {
        let messages = configurations([Fixtures.namedBadge, Fixtures.door])
        let message = try #require(messages.first { $0.topic == "\(Self.root)\(suffix)/config" })
        let expected = try Golden.line(file)
        #expect(message.text == expected)
    }

    @Test("Two gateways that know one beacon share its device, and each has entities of its own, named after its room")
    func twoGateways() throws {
        struct Discovery: Decodable {
            struct Device: Decodable { var identifiers: [String] }
            struct Component: Decodable {
                var uniqueID: String
                var name: String
                var stateTopic: String

                enum CodingKeys: String, CodingKey {
                    case name
                    case uniqueID = "unique_id"
                    case stateTopic = "state_topic"
                }
            }
            var dev: Device
            var cmps: [String: Component]
        }
        func discovery(_ gateway: String, _ room: String) throws -> Discovery {
            var place = Fixtures.place
            place.gateway = gateway
            place.room = room
            let gateway = OutputGateway(
                place: place, topics: Topics(prefix: "beacons", place: place), version: "0.1.0")
            let output = HomeAssistantOutput(gateway: gateway, settings: .init())
            return try JSON.decode(Discovery.self, from: JSON.encode(output.device(of: Fixtures.namedBadge)))
        }
        let (one, other) = (try discovery("gw-3a", "hall"), try discovery("gw-3b", "lab"))
        #expect(one.dev.identifiers == other.dev.identifiers)
        #expect(Set(one.cmps.values.map(\.uniqueID)).isDisjoint(with: other.cmps.values.map(\.uniqueID)))
        #expect(Set(one.cmps.values.map(\.stateTopic)).isDisjoint(with: other.cmps.values.map(\.stateTopic)))
        #expect(one.cmps["presence"]?.name == "hall presence")
        #expect(other.cmps["presence"]?.name == "lab presence")
    }

    @Test("A module belongs to its gateway; a badge, which other gateways know too, to none")
    func viaDevice() {
        let output = HomeAssistantOutput(gateway: Fixtures.gateway, settings: .init())
        let module = String(decoding: JSON.encode(output.device(of: Fixtures.door)), as: UTF8.self)
        let badge = String(decoding: JSON.encode(output.device(of: Fixtures.namedBadge)), as: UTF8.self)
        #expect(module.contains(#""via_device":"bg_mcgill_trottier_3_gw-3a""#))
        #expect(!badge.contains("via_device"))
    }

    @Test("When Home Assistant says that it is online, everything is published again")
    func again() {
        var outputs = Outputs.told(settings)
        let online = MQTTMessage(topic: "homeassistant/status", payload: Array("online".utf8))
        #expect(outputs.subscriptions == ["homeassistant/status"])
        #expect(
            outputs.batch(.message(online)).again
                == Set(configurations([Fixtures.namedBadge, Fixtures.door]).map(\.topic)))
    }

    @Test(
        "Nothing else on its status topic, or elsewhere, does that",
        arguments: [("homeassistant/status", "offline"), ("homeassistant/status", ""), ("other/status", "online")])
    func notAgain(topic: String, payload: String) {
        var outputs = Outputs.told(settings)
        #expect(outputs.batch(.message(MQTTMessage(topic: topic, payload: Array(payload.utf8)))).isEmpty)
    }

    @Test("A beacon that is struck out has its configuration emptied, also when that was while nobody ran")
    func struckOut() throws {
        let gone = "\(Self.root)_\(Self.uuid)_7_2603/config"
        var outputs = Outputs.told(settings)
        let running = outputs.batch(.named([Fixtures.door])).gateway.filter(\.payload.isEmpty)
        #expect(running == [MQTTMessage(topic: gone, payload: [], isRetained: true)])

        let kept = Outputs.told(settings).retained
        var next = Outputs(settings: settings, gateway: Fixtures.gateway, retained: kept)
        let restarted = next.handle(.named([Fixtures.door]))
        #expect(restarted.batch.gateway.filter(\.payload.isEmpty).map(\.topic) == [gone])
        #expect(restarted.hasRetainedChanged)
    }

    @Test("An output that is switched off is emptied, and that is repeated at the next start")
    func switchedOff() {
        var off = Outputs(settings: .init(), gateway: Fixtures.gateway, retained: Outputs.told(settings).retained)
        let emptied = off.batch(.named([])).gateway
        #expect(emptied.count == 3)
        #expect(emptied.allSatisfy { $0.payload.isEmpty && $0.isRetained })
        var again = Outputs(settings: .init(), gateway: Fixtures.gateway, retained: off.retained)
        #expect(again.batch(.named([])).gateway == emptied)
    }

    @Test("Another room is another name in the same configurations")
    func renamed() {
        var place = Fixtures.place
        place.room = "Lobby"
        let moved = OutputGateway(place: place, topics: Fixtures.topics, version: "0.1.0")
        var outputs = Outputs(
            settings: settings, gateway: moved, retained: Outputs.told(settings).retained)
        let messages = outputs.batch(.named([Fixtures.namedBadge, Fixtures.door])).gateway
        #expect(messages.count == 3)
        #expect(messages.contains { $0.text.contains("Lobby presence") })
    }
}
