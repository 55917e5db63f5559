import BeaconModel
import InteractionStore
import Logging
import MQTTBridge
import SystemIO
import TestSupport
import Testing

@testable import Matcher

@Suite struct RecordKeeperTests {
    private func health(_ gateway: String) -> MQTTMessage {
        MQTTMessage(
            topic: "beacons/v1/\(gateway)/health",
            payload: Array(#"{"outbox":{"oldest":{"boot":1,"sequence":5}}}"#.utf8))
    }

    /// On which topics it is said how far records are stored.
    private func answers(_ filters: [String], _ messages: [MQTTMessage]) throws -> [String]? {
        let directory = try TemporaryDirectory()
        let store = try InteractionStore.open(.sqlite(directory.path + "/store.sqlite"))
        let keeper = RecordKeeper(
            store: SharedStore(store), prefix: "beacons", filters: filters, gateways: GatewayWatch(),
            logger: Logger(label: "keeper"))
        guard case .stored(let answers) = keeper.take(messages) else { return nil }
        return answers.map(\.topic)
    }

    @Test func `What the session brings of places that aren't configured any more is left`() throws {
        let messages = [health("campus/main/1/east"), health("campus/annex/1/east")]
        #expect(try answers(["beacons/v1/campus/main/#"], messages) == ["beacons/v1/campus/main/1/east/stored"])
        #expect(try answers(["beacons/v1/#"], messages)?.count == 2)
        #expect(try answers(["beacons/v1/campus/+/1/#"], messages)?.count == 2)
    }

    // As the broker brings them: each in a batch of its own.
    @Test(arguments: Backend.installed)
    func `Records that contradict others are refused, whichever way they come`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = SharedStore(try InteractionStore.open(location))
            let keeper = RecordKeeper(
                store: store, prefix: "beacons", filters: ["beacons/v1/#"], gateways: GatewayWatch(),
                logger: Logger(label: "keeper"))
            let start = WallClock.now() + .seconds(-7200)
            let records = BadgeRecords.records([.init(badge: 1, minutes: 0...20, metres: 1)], from: start)
            let other = BadgeRecords.records([.init(badge: 2, minutes: 5...30, metres: 1)], from: start)
            for (record, number) in [(records[0], 1), (other[0], 2)] {
                // Of another interaction, with the same boot and sequence.
                let text = String(decoding: record.encoded(historical: false), as: UTF8.self)
                    .replacing("/1/i1\"", with: "/1/i\(number)\"")
                _ = keeper.take([MQTTMessage(topic: record.topic, payload: Array(text.utf8))])
            }
            let count = try store.use { try $0.counts().interactions }
            #expect(count == 1)
        }
    }
}
