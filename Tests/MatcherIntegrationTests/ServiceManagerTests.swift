import Glibc
import InteractionStore
import RecordContract
import TestSupport
import Testing

/// What the service manager is told by the matcher.
@Suite(.timeLimit(.minutes(2))) struct ServiceManagerTests {
    private func start(_ configuration: String, _ inbox: DatagramInbox) throws -> ChildProcess {
        try ChildProcess(
            TestMatcher.program, ["run", "--config", configuration],
            environment: ["NOTIFY_SOCKET": inbox.path, "WATCHDOG_USEC": "400000"])
    }

    @Test("A matcher is ready when it has subscribed; a standby is ready, too, and says what it is")
    func ready() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let configuration = try TestMatcher.configuration(
                .sqlite(directory.path + "/store.sqlite"), port: broker.port,
                more: "client-id = \"the-matcher\"", in: directory)
            let inbox = try DatagramInbox()
            let active = try start(configuration, inbox)
            let ready = await inbox.first { $0.contains("READY=1") }
            #expect(ready?.contains("receiving, storing") == true, "\(ready ?? "-")")
            #expect(await inbox.first { $0 == "WATCHDOG=1" } != nil)

            let other = try DatagramInbox()
            let standby = try start(configuration, other)
            let standsBy = await other.first { $0.contains("READY=1") }
            #expect(
                standsBy
                    == "READY=1\nSTATUS=standby, another matcher with the client identifier the-matcher is active")
            #expect(await other.first { $0 == "WATCHDOG=1" } != nil)

            active.send(signal: SIGTERM)
            #expect(await inbox.first { $0.hasPrefix("STOPPING=1") } != nil)
            #expect(await active.exitStatus() == 0)
            #expect(await other.first { $0.hasPrefix("STATUS=receiving, storing, delivering") } != nil)
            standby.send(signal: SIGTERM)
            #expect(await standby.exitStatus() == 0)
        }
    }

    @Test(
        "A full disk is named in the status, and no reason for a restart",
        .enabled(if: SmallDisk.isPossible))
    func fullDisk() async throws {
        try await TestBroker.with { broker in
            let disk = try #require(SmallDisk(bytes: 16 << 20))
            let directory = try TemporaryDirectory()
            let configuration = try TestMatcher.configuration(
                .sqlite(disk.directory.path + "/store.sqlite"), port: broker.port, in: directory)
            let inbox = try DatagramInbox()
            let matcher = try start(configuration, inbox)
            #expect(await inbox.first { $0.contains("READY=1") } != nil)
            disk.fill()
            for record in BadgeRecords.records([.init(badge: 1, minutes: 0...30, metres: 1)]) {
                try await broker.publish(
                    record.topic, String(decoding: record.encoded(historical: false), as: UTF8.self))
            }
            let status = await inbox.first { $0.hasPrefix("STATUS=not storing") || $0.contains("; not storing") }
            #expect(status?.contains("free space on its disk") == true, "\(status ?? "-")")
            for _ in 1...15 { #expect(await inbox.first { $0 == "WATCHDOG=1" } != nil) }
            disk.resize(bytes: 64 << 20)
            #expect(await inbox.first { $0.hasPrefix("STATUS=receiving, storing, delivering") } != nil)
            matcher.send(signal: SIGTERM)
            #expect(await matcher.exitStatus() == 0)
        }
    }
}
