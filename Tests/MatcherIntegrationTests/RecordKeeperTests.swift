import BeaconModel
import InteractionStore
import Logging
import MQTTBridge
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon
@testable import RecordOutboxTests

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

    @Test func `What a gateway retains about itself and its modules is known, and is no record`() throws {
        let directory = try TemporaryDirectory()
        let store = try InteractionStore.open(.sqlite(directory.path + "/store.sqlite"))
        let gateways = GatewayWatch()
        let keeper = RecordKeeper(
            store: SharedStore(store), prefix: "beacons", filters: ["beacons/v1/campus/main/#"], gateways: gateways,
            logger: Logger(label: "keeper"))
        func message(_ topic: String, _ text: String) -> MQTTMessage {
            MQTTMessage(topic: "beacons/v1/campus/\(topic)", payload: Array(text.utf8), isRetained: true)
        }
        _ = keeper.take([
            message("main/1/east/info", #"{"version":"1.4.0","modules":[]}"#),
            message("main/1/east/module/door/state", #"{"state":"advertising"}"#),
            message("annex/1/east/info", #"{"version":"1.4.0"}"#),
        ])
        #expect(gateways.facts.keys.sorted() == ["campus/main/1/east"])
        #expect(gateways.facts["campus/main/1/east"]?.version == "1.4.0")
        #expect(gateways.facts["campus/main/1/east"]?.modules["door"]?.condition == .advertising)
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

    // Twenty thousand that somebody had left at the broker were read again at each start.
    @Test func `A record that is retained is none`() throws {
        let directory = try TemporaryDirectory()
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let keeper = RecordKeeper(
            store: store, prefix: "beacons", filters: ["beacons/v1/#"], gateways: GatewayWatch(),
            logger: Logger(label: "keeper"))
        let record = try #require(
            BadgeRecords.records(
                [.init(badge: 1, minutes: 0...20, metres: 1)], from: WallClock.now() + .seconds(-7200)
            ).first)
        for (isRetained, count) in [(true, 0), (false, 1)] {
            _ = keeper.take([
                MQTTMessage(
                    topic: record.topic, payload: record.encoded(historical: false), isRetained: isRetained)
            ])
            let stored = try store.use { try $0.counts().interactions }
            #expect(stored == count)
        }
    }

    @Test func `Records over a gateway's budget aren't looked at, don't count as come, and are said once`() throws {
        let directory = try TemporaryDirectory()
        let log = KeptLog()
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let keeper = RecordKeeper(
            store: store, prefix: "beacons", filters: ["beacons/v1/#"], gateways: GatewayWatch(),
            logger: Logger(label: "keeper") { _ in log },
            budgets: MessageBudgets(records: .init(interval: .seconds(100_000), burst: 2)))
        let start = WallClock.now() + .seconds(-7200)
        let stays = (UInt16(1)...5).map { BadgeRecords.Stay(badge: $0, minutes: 0...20, metres: 1) }
        for gateway in ["thief", "other"] {
            let place = BadgeRecords.place(gateway: gateway)
            let records = BadgeRecords.records(gateway == "thief" ? stays : [stays[0]], from: start, place: place)
            guard
                case .stored = keeper.take(
                    records.map { MQTTMessage(topic: $0.topic, payload: $0.encoded(historical: false)) })
            else {
                Issue.record("not stored")
                return
            }
        }
        #expect(try store.use { try $0.counts().interactions } == 3)
        #expect(log.lines.count { $0.contains("exceeds its message budget") } == 1)
        #expect(log.lines.contains { $0.contains("exceeds its message budget") && $0.contains("thief") })
        let progress = try store.use { try $0.storedProgress() }
        #expect(progress["campus/main/1/thief"]?.highest?.sequence ?? 0 <= 2)
    }

    // Nobody noticed that reports of phones led nowhere.
    @Test func `A gateway whose key of pseudonyms isn't known here is said once`() throws {
        let directory = try TemporaryDirectory()
        let log = KeptLog()
        let keeper = RecordKeeper(
            store: SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite"))),
            prefix: "beacons", filters: ["beacons/v1/#"], gateways: GatewayWatch(),
            logger: Logger(label: "keeper") { _ in log }, pseudonymKeys: { ["0011aabb"] })
        for (gateway, key) in [
            ("s/b/1/known", "0011aabb"), ("s/b/1/other", "ffffffff"), ("s/b/1/other", "ffffffff"), ("s/b/1/bad", "no"),
        ] {
            _ = keeper.take([
                MQTTMessage(
                    topic: "beacons/v1/\(gateway)/health", payload: Array(#"{"pseudonymKey":"\#(key)"}"#.utf8))
            ])
        }
        let said = log.lines.filter { $0.contains("key") }
        #expect(said.count == 1 && said[0].contains("s/b/1/other"), "\(log.lines)")
    }

    @Test func `A thousand mistakes of one gateway cover nothing that is said in the name of another`() throws {
        let directory = try TemporaryDirectory()
        let log = KeptLog()
        let keeper = RecordKeeper(
            store: SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite"))),
            prefix: "beacons", filters: ["beacons/v1/#"], gateways: GatewayWatch(),
            logger: Logger(label: "keeper") { _ in log })
        func record(_ gateway: String, _ text: String) -> MQTTMessage {
            MQTTMessage(topic: "beacons/v1/\(gateway)/beacon/u/1/1/interaction", payload: Array(text.utf8))
        }
        for number in 0..<1000 {
            let list = String(repeating: "0,", count: number) + "{}"
            _ = keeper.take([record("s/b/1/thief", #"{"data":{"boot":[\#(list)],"sequence":1}}"#)])
        }
        #expect(log.lines.count <= 40, "\(log.lines.count)")
        _ = keeper.take([record("s/b/2/other", "{}")])
        #expect(log.lines.last?.contains("s/b/2/other") == true)
    }
}
