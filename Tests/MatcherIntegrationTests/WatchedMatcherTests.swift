import BeaconModel
import HTTPClient
import InteractionStore
import RecordContract
import SystemIO
import TestSupport
import Testing

/// `/metrics` and `/healthz` of the built program, with a real broker.
@Suite("A matcher that is watched", .timeLimit(.minutes(10))) struct WatchedMatcherTests {
    private static let tables = "[metrics]\nlisten = \"127.0.0.1:0\""

    private func publish(_ badge: UInt16, boot: UInt64 = 1, to broker: TestBroker) async throws {
        let records = BadgeRecords.records(
            [.init(badge: badge, minutes: 0...10, metres: 1)], from: WallClock.now() + .seconds(-1200), boot: boot)
        for record in records {
            try await broker.publish(
                record.topic, String(decoding: record.encoded(historical: false), as: UTF8.self))
        }
        try await broker.publish(
            "beacons/v1/campus/main/1/east/health",
            #"{"outbox":{"oldest":{"boot":1,"sequence":1}},"radio":"hearing"}"#)
    }

    @Test("What it stores and answers is in its metrics, and nobody's identity", arguments: Backend.installed)
    func metrics(backend: Backend) async throws {
        try await backend.with { location, _, directory in
            try await TestBroker.with { broker in
                let file = try TestMatcher.configuration(
                    location, port: broker.port, more: "[api]\nlisten = \"127.0.0.1:0\"\n" + Self.tables, in: directory)
                let matcher = try TestMatcher(file)
                let watched = try #require(await WatchedProgram(matcher.process.errorOutput))
                #expect(try await watched.isEventually(200))
                try await publish(7, to: broker)
                #expect(
                    try await eventually {
                        let stored = try await watched.value("beacon_matcher_stored_records_total") ?? 0
                        let gateways = try await watched.value("beacon_matcher_gateways{state=\"receiving\"}")
                        let size = try await watched.value("beacon_matcher_store_size_bytes") ?? 0
                        return stored > 0 && gateways == 1 && size > 0
                    })
                #expect(try await watched.value("beacon_matcher_messages_total{outcome=\"record\"}") ?? 0 > 0)
                #expect(try await watched.value("beacon_matcher_store_write_seconds_count") ?? 0 > 0)
                #expect(try await watched.value("beacon_matcher_last_stored_record_age_seconds") ?? -1 >= 0)
                #expect(try await watched.value("beacon_matcher_broker_connections_total") == 1)
                #expect(try await watched.value("beacon_matcher_active") == 1)
                for work in ["settling", "retention", "exposures", "occupancy", "stays"] {
                    #expect(
                        try await eventually {
                            try await watched.value("beacon_matcher_work_seconds_count{work=\"\(work)\"}") ?? 0 > 0
                        }, "\(work)")
                }
                let text = try await watched.metrics()
                #expect(!text.contains("\(BadgeRecords.uuid)".prefix(8)) && !text.contains(directory.path))
                #expect(await matcher.stop() == 0)
            }
        }
    }

    @Test("Requests are counted by route, and what somebody made up is no label")
    func requests() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let file = try TestMatcher.configuration(
                .sqlite(directory.path + "/s.sqlite"), port: broker.port,
                more: "[api]\nlisten = \"127.0.0.1:0\"\n" + Self.tables, in: directory)
            let matcher = try TestMatcher(file)
            var (api, watched): (Int?, WatchedProgram?) = (nil, nil)
            // Which of the two comes first is not said.
            while api == nil || watched == nil {
                let line = try #require(
                    await matcher.process.errorOutput.first { $0.contains("listening") && $0.contains("port=") })
                let port = line.split(separator: "port=").last.flatMap { Int($0.prefix(while: \.isNumber)) }
                if line.contains("API listening") {
                    api = port
                } else {
                    watched = port.map { WatchedProgram(port: $0) }
                }
            }
            let (address, program) = ("http://127.0.0.1:\(try #require(api))", try #require(watched))
            let subject = "badge:7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3%2F1%2F77"
            for path in ["/v1/keys", "/v1/keys", "/secret-77", "/v1/subjects/\(subject)/risk"] {
                _ = try await TestAPI.client.send(HTTPClient.Request("GET", address + path))
            }
            #expect(
                try await program.value("beacon_matcher_http_requests_total{route=\"/v1/keys\",class=\"2xx\"}") == 2)
            #expect(try await program.value("beacon_matcher_http_requests_total{route=\"other\",class=\"4xx\"}") == 1)
            #expect(
                try await program.value("beacon_matcher_http_request_seconds_count{route=\"/v1/subjects/{id}/risk\"}")
                    == 1)
            #expect(try await program.value("beacon_matcher_sign_in_failures_total{kind=\"secret\"}") == 1)
            let text = try await program.metrics()
            #expect(!text.contains("secret-77"))
            #expect(!text.contains("7a1d5f0c"))
            #expect(await matcher.stop() == 0)
        }
    }

    @Test("/healthz says what fails while the broker is away, and is well again when it is back")
    func broker() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let file = try TestMatcher.configuration(
                .sqlite(directory.path + "/s.sqlite"), port: broker.port, more: Self.tables, in: directory)
            let matcher = try TestMatcher(file)
            let watched = try #require(await WatchedProgram(matcher.process.errorOutput))
            #expect(try await watched.isEventually(200))
            await broker.crash()
            #expect(try await watched.isEventually(503, "start the broker, or mend the network to it"))
            #expect(try await watched.value("beacon_matcher_broker_connected") == 0)
            try await broker.restart()
            #expect(try await watched.isEventually(200))
            #expect(try await watched.value("beacon_matcher_broker_connections_total") == 2)
            #expect(await matcher.stop() == 0)
        }
    }

    @Test("/healthz says that the store cannot be written, and is well again when it can")
    func fullDisk() async throws {
        let directory = try TemporaryDirectory()
        guard let disk = SmallDisk(bytes: 4_000_000) else { return }
        try await TestBroker.with { broker in
            let file = try TestMatcher.configuration(
                .sqlite(disk.directory.path + "/s.sqlite"), port: broker.port, more: Self.tables, in: directory)
            let matcher = try TestMatcher(file)
            let watched = try #require(await WatchedProgram(matcher.process.errorOutput))
            #expect(try await watched.isEventually(200))
            disk.fill()
            try await publish(7, to: broker)
            #expect(try await watched.isEventually(503, "\"storing\":{\"remedy\""))
            #expect(try await watched.value("beacon_matcher_store_failures_total") ?? 0 > 0)
            disk.resize(bytes: 64_000_000)
            try await publish(8, boot: 2, to: broker)
            #expect(try await watched.isEventually(200))
            #expect(await matcher.stop() == 0)
        }
    }

    @Test("A standby answers, and says that it is one")
    func standby() async throws {
        let directory = try TemporaryDirectory()
        try await TestBroker.with { broker in
            let file = try TestMatcher.configuration(
                .sqlite(directory.path + "/s.sqlite"), port: broker.port, more: Self.tables, in: directory)
            let first = try TestMatcher(file)
            #expect(await first.waitUntilStoring())
            let second = try TestMatcher(file)
            let watched = try #require(await WatchedProgram(second.process.errorOutput))
            #expect(try await watched.isEventually(503, "standby"))
            #expect(try await watched.value("beacon_matcher_active") == 0)
            #expect(await first.stop() == 0)
            #expect(try await watched.isEventually(200))
            #expect(await second.stop() == 0)
        }
    }
}
