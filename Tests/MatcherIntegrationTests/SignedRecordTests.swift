import BeaconModel
import Evidence
import Glibc
import InteractionStore
import Logging
import MQTTBridge
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// What a broker, or whoever may publish there, can make a matcher believe of gateways that sign.
@Suite(.timeLimit(.minutes(10))) struct SignedRecordTests {
    private static let gateway = "campus/main/1/east"
    private static let root = "beacons/v1/" + gateway
    private static let secret = [UInt8](0..<32)
    private let site: SiteKey
    private let older: SiteKey

    init() throws {
        site = try #require(SiteKey(secret: Self.secret))
        older = try #require(SiteKey(secret: Array(1..<33)))
    }

    private func signed(_ record: Record, by key: SiteKey? = nil, of gateway: String = gateway) -> MQTTMessage {
        MQTTMessage(
            topic: record.topic,
            payload: MessageTag.adding(
                to: record.encoded(historical: false), key: (key ?? site).gatewayKey(gateway), for: .record))
    }

    private func keeper(_ store: SharedStore, _ verifier: MessageVerifier?, _ gateways: GatewayWatch = GatewayWatch())
        -> RecordKeeper
    {
        RecordKeeper(
            store: store, prefix: "beacons", filters: ["beacons/v1/#"], gateways: gateways,
            logger: Logger(label: "keeper"), verifier: { verifier })
    }

    private func records(_ count: UInt16 = 3, place: Place = BadgeRecords.place()) -> [Record] {
        BadgeRecords.records(
            (1...count).map { .init(badge: $0, minutes: 0...20, metres: 1) }, from: WallClock.now() + .seconds(-7200),
            place: place)
    }

    private func health(
        _ oldest: UInt64, at time: Timestamp, radio: String = "hearing", for purpose: MessageTag.Purpose = .health
    ) -> MQTTMessage {
        let outbox = #""outbox":{"oldest":{"boot":1,"sequence":\#(oldest)}}"#
        let text = #"{"boot":1,\#(outbox),"radio":"\#(radio)","time":"\#(time.rfc3339)"}"#
        return MQTTMessage(
            topic: Self.root + "/health",
            payload: MessageTag.adding(to: Array(text.utf8), key: site.gatewayKey(Self.gateway), for: purpose))
    }

    @Test(arguments: Backend.installed)
    func
        `A forged record isn't stored, and isn't counted as come either, so that the true one is missed and still taken`(
            backend: Backend
        ) async throws
    {
        try await backend.with { location, _, _ in
            let store = SharedStore(try InteractionStore.open(location))
            let keeper = self.keeper(store, MessageVerifier(keys: [site, older], isRequired: true))
            let records = self.records()
            let other = self.records(place: BadgeRecords.place(gateway: "west"))
            let unsigned = MQTTMessage(topic: records[0].topic, payload: records[0].encoded(historical: false))
            var altered = signed(records[0])
            altered.payload[altered.payload.count / 2] ^= 1
            var truncated = signed(records[0])
            truncated.payload.removeLast(32)
            // Of another gateway, and its record on this one's topics.
            var moved = signed(other[0], of: "campus/main/1/west")
            moved.topic = records[0].topic
            let stolen = signed(records[0], of: "campus/main/1/west")
            // Garbage that says which record it is.
            let garbage = String(decoding: records[0].encoded(historical: false), as: UTF8.self)
                .replacing("\"startedAt\":\"", with: "\"startedAt\":\"x")
            let damaged = MQTTMessage(topic: records[0].topic, payload: Array(garbage.utf8))
            for forged in [unsigned, altered, truncated, moved, stolen, damaged] {
                guard case .stored(let answers) = keeper.take([forged]) else {
                    Issue.record("not taken")
                    continue
                }
                #expect(answers.isEmpty)
            }
            #expect(try store.use { try $0.counts().interactions } == 0)
            #expect(try store.use { try $0.progress() }.isEmpty)
            // By the key before, too; what comes again, from whoever kept it, is known.
            _ = keeper.take([signed(records[0], by: older), signed(records[1]), signed(records[1])])
            #expect(try store.use { try $0.counts().interactions } == 2)
        }
    }

    @Test func `A true record that comes again, on whichever topic, says the same as before`()
        throws
    {
        let directory = try TemporaryDirectory()
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let keeper = self.keeper(store, MessageVerifier(keys: [site], isRequired: true))
        let message = signed(records()[0])
        for topic in [message.topic, Self.root + "/readings", Self.root + "/module/door/event", message.topic] {
            var moved = message
            moved.topic = topic
            _ = keeper.take([moved])
        }
        // And as health it is nothing.
        var health = message
        health.topic = Self.root + "/health"
        _ = keeper.take([health])
        #expect(try store.use { try $0.counts().interactions } == 1)
        // When it is older than interactions are kept, it is refused for its age.
        let old = BadgeRecords.records([.init(badge: 9, minutes: 0...20, metres: 1)], boot: 2)[0]
        let now = WallClock.now().microseconds / 1_000_000 + 400 * 86_400
        let outcome = try store.use {
            try $0.store([try RecordReader.read(signed(old).payload)], now: now, clockIsSynchronized: true)
        }
        #expect(outcome.stored == 0 && outcome.refused[.expired] == 1)
    }

    @Test func `While a site is converted unsigned records are stored, and wrongly signed ones aren't`() throws {
        let directory = try TemporaryDirectory()
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let keeper = self.keeper(store, MessageVerifier(keys: [site], isRequired: false))
        let records = self.records()
        _ = keeper.take([
            MQTTMessage(topic: records[0].topic, payload: records[0].encoded(historical: false)), signed(records[1]),
            signed(records[2], by: older),
        ])
        #expect(try store.use { try $0.counts().interactions } == 2)
    }

    @Test func `A forged health settles nothing, and an old one is no sign of life`() throws {
        let directory = try TemporaryDirectory()
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let gateways = GatewayWatch()
        let keeper = self.keeper(store, MessageVerifier(keys: [site], isRequired: true), gateways)
        let unsigned = MQTTMessage(
            topic: Self.root + "/health", payload: Array(#"{"outbox":{"oldest":{"boot":1,"sequence":9}}}"#.utf8))
        _ = keeper.take([unsigned, health(9, at: WallClock.now(), for: .record)])
        #expect(try store.use { try $0.progress() }.isEmpty && gateways.heard(since: 0).isEmpty)
        _ = keeper.take([health(1, at: WallClock.now())])
        #expect(try store.use { try $0.progress() }[Self.gateway] == RecordPosition(boot: 1, sequence: 0))
        #expect(gateways.heard(since: 0).keys.contains(Self.gateway))
        _ = keeper.take([signed(records()[1])])
        // What it said before doesn't take back what is known.
        _ = keeper.take([health(1, at: WallClock.now() + .seconds(-86_400))])
        #expect(
            try store.use { try $0.storedProgress()[Self.gateway]?.missing } == 1)
        let now = WallClock.now().microseconds / 1_000_000
        #expect(GatewayHealth(health(1, at: WallClock.now()).payload)?.isOf(now) == true)
        #expect(GatewayHealth(health(1, at: WallClock.now() + .seconds(-700)).payload)?.isOf(now) == false)
        #expect(GatewayHealth(Array(#"{"outbox":{}}"#.utf8))?.isOf(now) == false)
    }

    @Test func `A health that comes again is no sign of life, whether or not a clock is synchronized`() throws {
        let directory = try TemporaryDirectory()
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let gateways = GatewayWatch()
        let keeper = self.keeper(store, MessageVerifier(keys: [site], isRequired: true), gateways)
        let now = WallClock.now()
        let first = health(1, at: now + .seconds(-60))
        _ = keeper.take([first])
        #expect(gateways.heard(since: 0).keys.contains(Self.gateway))
        // Its last word was that it is deaf; the broker says the one before again.
        _ = keeper.take([health(1, at: now + .seconds(-30), radio: "deaf")])
        #expect(gateways.heard(since: 0).isEmpty)
        _ = keeper.take([first])
        #expect(gateways.heard(since: 0).isEmpty)
        _ = keeper.take([health(1, at: now + .seconds(-86_400))])
        #expect(gateways.heard(since: 0).isEmpty)
        _ = keeper.take([health(1, at: now, radio: "quiet")])
        #expect(gateways.heard(since: 0).keys.contains(Self.gateway))
    }

    // A broker that kept back the end of a boot, or all records of a gateway whose outbox is empty, was never told of.
    @Test func `Health tells what the gateway numbered, so that what has nothing after it is missing too`() throws {
        let directory = try TemporaryDirectory()
        let store = SharedStore(try InteractionStore.open(.sqlite(directory.path + "/store.sqlite")))
        let keeper = self.keeper(store, MessageVerifier(keys: [site], isRequired: true))
        func health(_ last: String) -> MQTTMessage {
            let text =
                #"{"boot":2,"outbox":{"last":[\#(last)],"oldest":null},"radio":"hearing","time":"\#(WallClock.now().rfc3339)"}"#
            return MQTTMessage(
                topic: Self.root + "/health",
                payload: MessageTag.adding(to: Array(text.utf8), key: site.gatewayKey(Self.gateway), for: .health))
        }
        func missing() throws -> UInt64? { try store.use { try $0.storedProgress()[Self.gateway]?.missing } }
        _ = keeper.take(records(2).map { signed($0) })
        #expect(try missing() == 0)
        _ = keeper.take([health(#"{"boot":1,"sequence":5},{"boot":2,"sequence":3}"#)])
        #expect(try missing() == 3 + 3)
        // What can't be is passed over, and what was said before stays.
        _ = keeper.take([health(#"{"boot":3,"sequence":9007199254740992}"#), health("")])
        #expect(try missing() == 3 + 3)
        _ = keeper.take(records(5).suffix(3).map { signed($0) })
        #expect(try missing() == 3)
    }

    @Test(arguments: Backend.installed)
    func `Records that never came are told, open gaps and settled ones`(backend: Backend) async throws {
        try await backend.with { location, _, _ in
            let store = try InteractionStore.open(location)
            let now = WallClock.now().microseconds / 1_000_000
            _ = try store.settle(Self.gateway, below: .init(boot: 1, sequence: 1), now: now)
            #expect(try store.storedProgress()[Self.gateway]?.missing == 0)
            let records = try [1, 4].map { try RecordReader.read(self.records(5)[$0].encoded(historical: false)) }
            _ = try store.store(records, now: now, clockIsSynchronized: true)
            #expect(try store.storedProgress()[Self.gateway]?.missing == 3)
            var missing: [UInt64] = []
            for oldest: UInt64 in [1, 3, 6, 6] {
                _ = try store.settle(Self.gateway, below: .init(boot: 1, sequence: oldest), now: now) {
                    missing.append($0)
                }
            }
            #expect(missing == [1, 2])
            #expect(try store.storedProgress()[Self.gateway]?.missing == 0)
        }
    }

    @Test func `Through mosquitto all that a gateway signed is stored, and no invention`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let location = StoreLocation.sqlite(directory.path + "/store.sqlite")
        let key = try directory.write("site.key", Self.secret)
        try await TestBroker.with { broker in
            let file = try TestMatcher.configuration(
                location, port: broker.port, more: "[signing]\nkey-files = [\"\(key)\"]", in: directory)
            let printed = try await TestMatcher.run(["gateway-key", Self.gateway, "--config", file])
            #expect(printed.output == [site.gatewayKey(Self.gateway).hexadecimal], "\(printed)")
            let gatewayKey = try directory.write("gateway.key", (printed.output.first ?? "") + "\n")
            let configuration = try directory.write(
                "gateway.toml",
                """
                [place]
                site = "campus"
                building = "main"
                floor = "1"
                gateway = "east"
                [metrics]
                listen = "off"
                [mqtt]
                host = "127.0.0.1"
                port = \(broker.port)
                [beacons]
                uuids = ["7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3"]
                [interactions]
                update-interval = "1s"
                [outbox]
                confirm = "consumer"
                [state]
                directory = "\(directory.path)"
                [signing]
                key-file = "\(gatewayKey)"
                """)
            let matcher = try TestMatcher(file)
            #expect(await matcher.waitUntilStoring())
            let gateway = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "20"])
            #expect(try await eventually { try InteractionStore.count(location).all > 0 })
            for record in records() {
                let forged = String(decoding: record.encoded(historical: false), as: UTF8.self)
                try await broker.publish(record.topic, forged)
                let text = forged.dropLast() + #","tag":"AAAAAAAAAAAAAAAAAAAAAA"}"#
                try await broker.publish(record.topic, String(text))
            }
            #expect(await matcher.said("is not signed by its gateway"))
            gateway.send(signal: SIGTERM)
            #expect(await gateway.exitStatus() == 0)
            // All of them are over, and none of the forged ones, which were over from the beginning, is there.
            #expect(
                try await eventually {
                    let count = try InteractionStore.count(location)
                    return count.all > 0 && count.all == count.ended
                })
            let invented = (1...3).compactMap { SubjectIdentity(BadgeRecords.badge($0)) }
            #expect(invented.count == 3)
            #expect(try InteractionStore.open(location).numbers(of: invented).isEmpty)
            #expect(try InteractionStore.open(location).storedProgress().values.allSatisfy { $0.missing == 0 })
            #expect(await matcher.stop() == 0)
        }
    }
}
