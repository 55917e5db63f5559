import Glibc
import TestSupport
import Testing

/// What the service manager is told by `run`, with a simulated radio.
@Suite(.timeLimit(.minutes(2))) struct ServiceManagerTests {
    /// Starts the gateway with a short watchdog, whose patience is 0.8 s.
    private func start(
        _ configuration: String, _ inbox: DatagramInbox, fault: String? = nil, runtime: TemporaryDirectory? = nil
    ) throws -> ChildProcess {
        var environment = ["NOTIFY_SOCKET": inbox.path, "WATCHDOG_USEC": "400000"]
        if let runtime { environment["RUNTIME_DIRECTORY"] = runtime.path }
        return try ChildProcess(
            BuiltProgram.path("beacon-gateway"),
            ["run", "--config", configuration, "--simulated-reports", "100"]
                + (fault.map { ["--simulated-fault", $0] } ?? []),
            environment: environment)
    }

    @Test("The gateway is ready when it scans, pings the watchdog, and says when it reloads and ends")
    func life() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let inbox = try DatagramInbox()
            let daemon = try start(try directory.writeConfiguration(brokerPort: broker.port), inbox)
            let ready = await inbox.first { $0.contains("READY=1") }
            #expect(ready?.contains("STATUS=receiving, storing, delivering") == true, "\(ready ?? "-")")
            #expect(await inbox.first { $0 == "WATCHDOG=1" } != nil)
            daemon.send(signal: SIGHUP)
            let reloading = await inbox.first { $0.hasPrefix("RELOADING=1") }
            #expect(reloading?.firstMatch(of: /^RELOADING=1\nMONOTONIC_USEC=\d+$/) != nil, "\(reloading ?? "-")")
            #expect(await inbox.first { $0.hasPrefix("READY=1") } != nil)
            daemon.send(signal: SIGTERM)
            #expect(await inbox.first { $0.hasPrefix("STOPPING=1") } != nil)
            #expect(await daemon.exitStatus() == 0)
        }
    }

    @Test("A radio that does not answer stops the pings, and a second time within an hour it does not")
    func notAnswering() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let runtime = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(brokerPort: broker.port)
            let inbox = try DatagramInbox()
            let daemon = try start(configuration, inbox, fault: "not-answering", runtime: runtime)
            #expect(
                await inbox.first { $0.hasPrefix("STATUS=not receiving: hci0 does not answer") } != nil)
            #expect(await daemon.errorOutput.first { $0.contains("asking the service manager for a restart") } != nil)
            // Nothing is to come now for as long as five pings would take.
            try await Task.sleep(for: .milliseconds(500))
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
            let pings = await pings(inbox, until: "STOPPING=1")
            // Those between the status and the end of the patience.
            #expect((1...12).contains(pings), "\(pings) pings")

            let again = try start(configuration, inbox, fault: "not-answering", runtime: runtime)
            let said = await again.errorOutput.first { $0.contains("a restart within the last hour has not helped") }
            #expect(said != nil)
            #expect(await inbox.first { $0.hasPrefix("STATUS=not receiving") } != nil)
            for _ in 1...10 { #expect(await inbox.first { $0 == "WATCHDOG=1" } != nil) }
            again.send(signal: SIGTERM)
            #expect(await again.exitStatus() == 0)
        }
    }

    private func pings(_ inbox: DatagramInbox, until end: String) async -> Int {
        var count = 0
        _ = await inbox.first { message in
            if message == "WATCHDOG=1" { count += 1 }
            return message.hasPrefix(end)
        }
        return count
    }

    @Test("An adapter that is blocked by rfkill is named in the status, and no reason for a restart")
    func blocked() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let inbox = try DatagramInbox()
            let daemon = try start(
                try directory.writeConfiguration(brokerPort: broker.port), inbox, fault: "blocked")
            let status = await inbox.first { $0.hasPrefix("STATUS=not receiving") }
            #expect(
                status?.hasPrefix(
                    "STATUS=not receiving: hci0 is blocked by rfkill (what to do: sudo rfkill unblock bluetooth)")
                    == true, "\(status ?? "-")")
            // More than the patience for a program that is stuck.
            for _ in 1...15 { #expect(await inbox.first { $0 == "WATCHDOG=1" } != nil) }
            daemon.send(signal: SIGTERM)
            #expect(await daemon.exitStatus() == 0)
        }
    }
}
