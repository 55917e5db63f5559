import BeaconModel
import Evidence
import HTTPClient
import InteractionStore
import JWTKit
import Matching
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

/// The whole program with everything in its configuration: records come by MQTT, answers go out by HTTP and MQTT.
@Suite(.timeLimit(.minutes(10))) struct MatcherDaemonTests {
    private static let token = "operator-token-of-the-test"
    /// Of gateways that have told.
    private let boots = LockedValue<UInt64>(0)

    /// Everything that the program has, rooms and authority of the test.
    private func configuration(
        _ location: StoreLocation, port: UInt16, authority: ES256PrivateKey, webhook: String,
        in directory: TemporaryDirectory
    ) throws -> String {
        let key = try directory.write("health.pem", authority.publicKey.pemRepresentation)
        let token = try directory.write("operator.token", Self.token + "\n")
        let webhookKey = try directory.write("webhook.key", String(repeating: "k", count: 32))
        return try TestMatcher.configuration(
            location, port: port,
            more: """

                [api]
                listen = "127.0.0.1:0"

                [[operators]]
                name = "desk"
                token-file = "\(token)"

                [[authorities]]
                issuer = "\(TestAPI.issuer)"
                key-file = "\(key)"

                [reports]
                audience = "campus"

                [notices]
                webhook = "\(webhook)"
                webhook-key-file = "\(webhookKey)"

                [occupancy]
                kinds = ["badge"]

                [[rooms]]
                name = "101"
                places = ["campus/main/1/east"]
                capacity = 12

                [[rooms]]
                name = "HB 2.11"
                beacons = ["\(BadgeRecords.uuid)/9/10"]
                """, in: directory)
    }

    private func send(
        _ method: String, _ address: String, body: String? = nil, secret: String? = nil
    ) async throws -> (status: Int, body: String) {
        var headers: [HTTPClient.Header] = []
        if body != nil { headers.append(.init("Content-Type", "application/json")) }
        if let secret { headers.append(.init("Authorization", "Bearer \(secret)")) }
        let response = try await TestAPI.client.send(
            HTTPClient.Request(
                method, address, headers: headers, body: body.map { Array($0.utf8) }, timeout: .seconds(100)))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    private func publish(_ records: [Record], to broker: TestBroker) async throws {
        for record in records {
            try await broker.publish(
                record.topic, String(decoding: record.encoded(historical: false), as: UTF8.self))
        }
    }

    @Test(arguments: Backend.installed)
    func `From a gateway's records and a report follow the notice, the risk and how full rooms are`(
        backend: Backend
    ) async throws {
        let authority = ES256PrivateKey()
        let receiver = WebhookReceiver()
        try await receiver.with { webhook in
            try await backend.with { location, _, directory in
                try await TestBroker.with { broker in
                    let file = try configuration(
                        location, port: broker.port, authority: authority, webhook: webhook, in: directory)
                    let matcher = try TestMatcher(file)
                    let api = "http://127.0.0.1:\(try await port(of: matcher))/v1"
                    let days = try await tell(broker)
                    let occupancy = try await broker.subscribe(
                        to: "beacons/v1/campus/main/1/occupancy/#", format: "%E %t %p")
                    try await expectDocument(api)
                    try await expectExposure(api, authority, broker, file, days: days)
                    #expect(
                        await eventually { !receiver.calls.withLock { $0.isEmpty } })
                    let call = try #require(receiver.calls.withLock { $0.first })
                    #expect(String(decoding: call.body, as: UTF8.self).contains(BadgeRecords.badge(2).dropFirst(6)))
                    // That they are still there, and that the gateways work.
                    try await tell(broker)
                    try await expectOccupancy(api, occupancy, broker)
                    #expect(await matcher.stop() == 0)
                }
            }
        }
    }

    /// Where the API listens, when records are stored too: which comes first isn't said.
    private func port(of matcher: TestMatcher) async throws -> Int {
        var port: Int?
        var isStoring = false
        while port == nil || !isStoring {
            let line = try #require(await matcher.process.errorOutput.first { _ in true })
            if line.contains("API listening") {
                port = line.split(separator: "port=").last.flatMap { Int($0.prefix(while: \.isNumber)) }
            }
            if line.contains("storing") { isStoring = true }
        }
        return try #require(port)
    }

    /// Three badges in 101 and one in HB 2.11 are there still; of the first, two were there together an hour ago.
    ///
    /// - Returns: the number of days (UTC) on which the two were together: two, if it was over midnight.
    @discardableResult
    private func tell(_ broker: TestBroker) async throws -> Int {
        let now = WallClock.now()
        boots.withLock { $0 += 1 }
        let boot = boots.withLock { $0 }
        for gateway in ["east", "west"] {
            try await broker.publish(
                "beacons/v1/campus/main/1/\(gateway)/health",
                #"{"outbox":{"oldest":{"boot":1,"sequence":1}},"radio":"hearing"}"#)
        }
        let there = [
            BadgeRecords.Stay(badge: 1, minutes: 0...30, metres: 1), .init(badge: 2, minutes: 10...30, metres: 1),
            .init(badge: 3, minutes: 55...60, metres: 1, isEnded: false),
            .init(badge: 4, minutes: 55...60, metres: 1, isEnded: false),
            .init(badge: 5, minutes: 55...60, metres: 1, isEnded: false),
        ]
        try await publish(BadgeRecords.records(there, from: now + .seconds(-3600), boot: boot), to: broker)
        let other = BadgeRecords.place(gateway: "west", room: "HB 2.11", minor: 10)
        try await publish(
            BadgeRecords.records(
                [.init(badge: 6, minutes: 55...60, metres: 1, isEnded: false)], from: now + .seconds(-3600),
                place: other, boot: boot),
            to: broker)
        let seconds = now.microseconds / 1_000_000 - 3600
        return Set([10 * 60, 30 * 60 - 1].map { (seconds + $0) / 86_400 }).count
    }

    private func expectDocument(_ api: String) async throws {
        let served = try await send("GET", "\(api)/openapi.json")
        let file = try FileContents.read(Repository.root + "/Sources/MatcherDaemon/API/openapi.json", limit: 1_000_000)
        #expect(served.status == 200 && served.body == String(decoding: file, as: UTF8.self))
    }

    private func expectExposure(
        _ api: String, _ authority: ES256PrivateKey, _ broker: TestBroker, _ configuration: String, days: Int
    ) async throws {
        let notices = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
        var secrets: [String] = []
        for badge: UInt16 in [1, 2] {
            let told = try await TestMatcher.run(["secret", BadgeRecords.badge(badge), "--config", configuration])
            secrets.append(try #require(told.output.first))
        }
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: authority)
        let now = WallClock.now().microseconds / 1_000_000
        let verification = try await keys.sign(TestAPI.Claims(iat: now, exp: now + 3600, sub: BadgeRecords.badge(1)))
        let id = BadgeRecords.badge(1).dropFirst("badge:".count)
        let report =
            #"{"subjects":[{"kind":"badge","id":"\#(id)","secret":"\#(secrets[0])"}],"verification":"\#(verification)"}"#
        let answer = try await send("POST", "\(api)/reports", body: report)
        #expect(answer.status == 201 && answer.body.contains(#""type":"confirmed""#), "\(answer.body)")
        let notice = try #require(await notices.first { _ in true })
        #expect(notice.contains(#""exposures":\#(days),"#))
        let later = try await broker.subscribe(to: "beacons/v1/subject/+/exposure")
        #expect(await later.first { $0.hasPrefix("1 1 ") }?.contains(#""exposures":\#(days),"#) == true)
        let badge = BadgeRecords.badge(2).replacing("/", with: "%2F")
        let risk = try await send("GET", "\(api)/subjects/\(badge)/risk", secret: secrets[1])
        #expect(risk.status == 200 && risk.body.contains(#""level":"high""#), "\(risk.body)")
        #expect(try await send("GET", "\(api)/subjects/\(badge)/risk", secret: secrets[0]).status == 401)
        let exposures = try await send("GET", "\(api)/subjects/\(badge)/exposures", secret: secrets[1])
        #expect(exposures.body.contains(#""start":"#) && !exposures.body.contains(#""room":"#))
        #expect(!exposures.body.contains("1/1"))
        #expect(try await send("POST", "\(api)/subjects/\(badge)/exposures/read", secret: secrets[1]).status == 204)
        #expect(await notices.first { $0.hasSuffix("/exposure ") } != nil)
    }

    private struct Expected: Decodable {
        var expected: Double
    }

    /// The bounds of a badge at 1 m are 0.8 and 1.25 m, so that it is as good as certainly within 6 m.
    private func expectOccupancy(_ api: String, _ messages: LineStream, _ broker: TestBroker) async throws {
        let isCounted = try await eventually {
            let answer = try await send("GET", "\(api)/occupancy", secret: Self.token)
            return answer.status == 200 && answer.body.contains(#""capacity":12,"expected":3,"#)
        }
        #expect(isCounted)
        let room = try #require(
            await messages.first { $0.contains("/occupancy/101 ") && $0.contains(#""expected":3"#) })
        // A dashboard that nobody tells anything new shows that it is old.
        #expect(room.hasPrefix("120 beacons/v1/campus/main/1/occupancy/101 "))
        #expect(room.contains(#""isHeard":true"#) && room.contains(#""lower":3"#) && room.contains(#""upper":3"#))
        let retained = try await broker.subscribe(to: "beacons/v1/campus/main/1/occupancy/#")
        var found: [String: Double] = [:]
        for _ in 0..<3 {
            let line = try #require(await retained.first { _ in true })
            #expect(line.hasPrefix("1 1 "))
            let parts = line.split(separator: " ", maxSplits: 3)
            let expected = try JSON.decode(Expected.self, from: Array(parts[3].utf8)).expected
            found[String(parts[2].dropFirst("beacons/v1/campus/main/1/".count))] = expected
        }
        #expect(found == ["occupancy": 4, "occupancy/101": 3, "occupancy/hb-2-11": 1])
    }

    /// A badge's interaction, and a report of it, so many days and an hour ago.
    private func seed(_ store: InteractionStore, daysAgo: Int64, badge: UInt16) throws {
        let time = WallClock.now() + .seconds(-daysAgo * 86_400 - 3600)
        let seconds = time.microseconds / 1_000_000
        let records = try BadgeRecords.records(
            [.init(badge: badge, minutes: 0...5, metres: 1)], from: time, boot: UInt64(badge)
        ).map { try RecordReader.read(Array($0.encoded(historical: false))) }
        #expect(try store.store(records, now: seconds).stored == 1)
        let subject = try #require(SubjectIdentity(BadgeRecords.badge(badge)))
        let report = PositiveReport(
            reference: "\(daysAgo)", received: seconds, positive: PositiveCase(reportType: .confirmed),
            subjects: [.init(identity: subject, since: 0, until: seconds)])
        #expect(try store.add(report).number != nil)
    }

    @Test(arguments: Backend.installed)
    func `Interactions are deleted after 14 days and reports after 28, when nothing else is configured`(
        backend: Backend
    ) async throws {
        try await backend.with { location, _, directory in
            try await TestBroker.with { broker in
                do {
                    let store = try InteractionStore.open(location, retention: 100)
                    // That of today tells the time where the machine's clock isn't synchronized.
                    for (badge, days) in [(UInt16(1), Int64(29)), (2, 20), (3, 13), (4, 0)] {
                        try seed(store, daysAgo: days, badge: badge)
                    }
                }
                let matcher = try TestMatcher(
                    try TestMatcher.configuration(location, port: broker.port, in: directory))
                #expect(await matcher.said("expired data deleted"))
                #expect(await matcher.stop() == 0)
                let store = try InteractionStore.open(location)
                #expect(try store.counts().interactions == 2)
                #expect(try store.reports(since: 0).map(\.reference) == ["20", "13", "0"])
            }
        }
    }
}
