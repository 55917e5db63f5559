import BeaconModel
import Testing

@testable import Integrations
@testable import RecordContract
@testable import RecordContractTests

@Suite struct RoomPresenceOutputTests {
    private let settings = OutputSettings(roomPresence: .init())

    @Test("A present beacon is a reading that isn't retained, of QoS 0, in the gateway's room")
    func reading() throws {
        var outputs = Outputs.told(settings)
        let messages = outputs.batch(.present([Fixtures.interaction()])).gateway
        let message = try #require(messages.first)
        #expect(messages.count == 1)
        #expect(message.topic == "espresense/devices/iBeacon-e2c56db5-dffb-48d2-b060-d0f5a71096e0-7-2603/3060")
        #expect(!message.isRetained)
        #expect(message.qualityOfService == .atMostOnce)
        let expected = try Golden.line("mqtt-room.json")
        #expect(message.text == expected)
    }

    @Test("Strangers and phones have none")
    func strangers() {
        var outputs = Outputs.told(settings)
        let phone = Fixtures.interaction(subject: .contactUser(.herald, 7))
        #expect(outputs.batch(.present([Fixtures.interaction(subject: .beacon(Fixtures.stranger)), phone])).isEmpty)
    }

    @Test("Without a distance there is none, because mqtt_room asks for it")
    func withoutDistance() {
        var outputs = Outputs.told(settings)
        var interaction = Fixtures.interaction()
        interaction.distance = nil
        #expect(outputs.batch(.present([interaction])).isEmpty)
    }

    @Test("A deaf gateway says nothing of who is here, until it hears again")
    func deaf() {
        var outputs = Outputs.told(settings)
        _ = outputs.batch(.radio(.deaf, addresses: [:]))
        #expect(outputs.batch(.present([Fixtures.interaction()])).isEmpty)
        _ = outputs.batch(.radio(.hearing, addresses: [:]))
        #expect(outputs.batch(.present([Fixtures.interaction()])).gateway.count == 1)
    }

    @Test("The prefix is that of the settings")
    func prefix() {
        var settings = settings
        settings.roomPresence?.prefix = "room_presence"
        var outputs = Outputs.told(settings)
        let messages = outputs.batch(.present([Fixtures.interaction()])).gateway
        #expect(messages.allSatisfy { $0.topic.hasPrefix("room_presence/iBeacon-") } && messages.count == 1)
    }
}
