import BeaconModel
import Glibc
import HTTPClient
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Gateway

/// `/metrics` and `/healthz` of the built program, with a real broker and a simulated radio.
@Suite("A gateway that is watched", .timeLimit(.minutes(10)))
struct WatchedGatewayTests {
    private func start(_ directory: borrowing TemporaryDirectory, _ broker: TestBroker, listen: String) throws
        -> ChildProcess
    {
        let configuration = try directory.writeConfiguration(
            brokerPort: broker.port, uuid: DemoBuilding.badgeUUID, further: "[metrics]\nlisten = \"\(listen)\"")
        return try ChildProcess(
            BuiltProgram.path("beacon-gateway"),
            ["run", "--config", configuration, "--simulated-reports", "50", "--log-level", "notice"])
    }

    private func end(_ daemon: ChildProcess) async {
        daemon.send(signal: SIGTERM)
        #expect(await daemon.exitStatus() == 0)
    }

    /// Whether the guide shows this answer, but for its numbers and its spaces.
    private func isInGuide(_ answer: String) throws -> Bool {
        func plain(_ text: String) -> String {
            text.replacing(/[0-9]+/, with: "0").filter { !$0.isWhitespace }
        }
        let guide = try String(decoding: Repository.read("docs/guide/watching.md"), as: UTF8.self)
        return plain(guide).contains(plain(answer))
    }

    @Test("What it receives and delivers is in its metrics, which a reader of both formats understands")
    func metrics() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let daemon = try start(directory, broker, listen: "127.0.0.1:0")
            let watched = try #require(await WatchedProgram(daemon.errorOutput))
            #expect(
                try await eventually {
                    let acknowledged = try await watched.value("beacon_gateway_acknowledged_records_total") ?? 0
                    let present = try await watched.value("beacon_gateway_open_interactions") ?? 0
                    return acknowledged > 0 && present > 0
                })
            #expect(try await watched.value("beacon_gateway_reports_total") ?? 0 > 0)
            #expect(try await watched.value("beacon_gateway_reports_by_kind_total{kind=\"ibeacon\"}") ?? 0 > 0)
            #expect(try await watched.value("beacon_gateway_adapter_state{adapter=\"hci0\",state=\"hearing\"}") == 1)
            #expect(try await watched.value("beacon_gateway_records_total{kind=\"started\"}") ?? 0 > 0)
            #expect(try await watched.value("beacon_gateway_outbox_write_seconds_count") ?? 0 > 0)
            #expect(try await watched.value("beacon_gateway_broker_connected") == 1)
            #expect(try await watched.value("beacon_metrics_dropped_label_sets_total") == 0)
            #expect(try await watched.value("process_resident_memory_bytes") ?? 0 > 1_000_000)
            #expect(try await watched.value("process_open_fds") ?? 0 > 3)
            let age =
                Double(WallClock.now().microseconds) / 1e6
                - (try await watched.value("process_start_time_seconds") ?? 0)
            #expect((0...600).contains(age), "\(age)")

            let prometheus = try await watched.get("/metrics")
            #expect(prometheus.status == 200)
            #expect(prometheus["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            let open = try await watched.get("/metrics", accept: "application/openmetrics-text;version=1.0.0")
            #expect(open["Content-Type"] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
            #expect(open.body.suffix(6) == Array("# EOF\n".utf8)[...])
            #expect(try await watched.get("/").status == 404)
            #expect(try await watched.get("/metrics", method: "POST").status == 405)
            await end(daemon)
        }
    }

    @Test("Nothing that was heard can be found in its metrics: no identity and no address")
    func identities() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let daemon = try start(directory, broker, listen: "127.0.0.1:0")
            let watched = try #require(await WatchedProgram(daemon.errorOutput))
            #expect(try await eventually { try await watched.value("beacon_gateway_open_interactions") ?? 0 > 0 })
            for text in [try await watched.metrics(), try await watched.health().text] {
                #expect(!text.lowercased().contains(DemoBuilding.badgeUUID.lowercased().prefix(8)))
                #expect(text.firstMatch(of: /[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){2,5}/) == nil, "\(text)")
                #expect(!text.contains(directory.path))
            }
            await end(daemon)
        }
    }

    @Test("/healthz says what fails and what to do while the broker is away, and is well again when it is back")
    func broker() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let daemon = try start(directory, broker, listen: "127.0.0.1:0")
            let watched = try #require(await WatchedProgram(daemon.errorOutput))
            #expect(try await watched.isEventually(200, "\"live\":true"))
            #expect(try isInGuide(try await watched.health().text))
            await broker.crash()
            // The gateway looks at itself every few seconds; the connection is asked at once.
            #expect(try await watched.isEventually(503, "waiting records"))
            #expect(try await watched.isEventually(503, "the outbox is 0 % full"))
            let health = try await watched.health().text
            #expect(health.contains("\"remedy\":\"start the broker, or mend the network to it\""), "\(health)")
            #expect(health.contains("\"receiving\":{\"state\":\"working\"}"), "\(health)")
            #expect(try isInGuide(health), "\(health)")
            #expect(try await watched.value("beacon_gateway_live{part=\"delivering\"}") == 0)
            try await broker.restart()
            #expect(try await watched.isEventually(200))
            await end(daemon)
        }
    }

    @Test("A port that is taken is an error in the log, and the gateway works")
    func takenPort() async throws {
        try await TestBroker.with { broker in
            let (descriptor, port) = try LoopbackSocket.listen()
            defer { close(descriptor) }
            let directory = try TemporaryDirectory()
            let records = try await broker.subscribe(to: "beacons/#")
            let daemon = try start(directory, broker, listen: "127.0.0.1:\(port)")
            let line = await daemon.errorOutput.first { $0.contains("metrics not available") }
            #expect(line?.contains("cannot listen on 127.0.0.1:\(port)") == true, "\(line ?? "-")")
            #expect(line?.contains("metrics.listen") == true)
            #expect(await records.first { $0.contains("/interaction {") } != nil)
            await end(daemon)
        }
    }

    @Test("An address that other machines reach is refused, and taken with a warning if it is allowed")
    func remoteAddress() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.writeConfiguration(
            brokerPort: 1883, further: "[metrics]\nlisten = \"0.0.0.0:9469\"")
        let refused = try await GatewayProgram.run(["run", "--check", "--config", file])
        #expect(refused.status == 78)
        #expect(refused.errorOutput.contains { $0.contains("metrics.listen: is 0.0.0.0:9469") }, "\(refused)")
        let allowed = try directory.writeConfiguration(
            brokerPort: 1883, further: "[metrics]\nlisten = \"0.0.0.0:9469\"\nallow-remote = true")
        let warned = try await GatewayProgram.run(["run", "--check", "--config", allowed])
        #expect(warned.status == 0)
        #expect(warned.errorOutput.contains { $0.hasPrefix("warning: metrics.listen is 0.0.0.0:9469:") }, "\(warned)")
    }
}
