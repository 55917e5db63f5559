import InteractionStore
import Logging
import MQTTBridge
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
}
