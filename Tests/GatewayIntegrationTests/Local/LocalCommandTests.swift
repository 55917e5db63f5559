import EmulatedModules
import Glibc
import ModuleEmulator
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import GatewayDaemon

/// The commands that ask a running gateway, with the real daemon.
@Suite(.timeLimit(.minutes(5))) struct LocalCommandTests {
    @Test("status shows modules, adapters, broker and outbox, as its schema says, and ends with 0 when all works")
    func status() async throws {
        try await TestBroker.with { broker in
            let bench = try LocalBench(modules: ["door"], brokerPort: broker.port)
            try #require(await bench.isListening())
            let isComplete = try await eventually {
                let status = try await bench.status()
                return status?.works == true && status?.broker.connected == true
                    && status?.modules.first?.state != "provisioning"
                    && status?.adapters.first?.reportsPerSecond ?? 0 > 1
            }
            #expect(isComplete)
            let json = try await bench.run("status", "--json")
            #expect(json.status == 0, "\(json)")
            let schema = Repository.root + "/docs/" + LocalContract.path
            let document = try bench.directory.write("status.json", json.output)
            let check = try await ChildProcess.run(
                "/usr/bin/python3",
                [
                    "-c",
                    "import json, sys, jsonschema; "
                        + "jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))", document,
                    schema,
                ])
            #expect(check.status == 0, "\(check.errorOutput)")
            let table = try await bench.run("status")
            #expect(table.status == 0)
            #expect(table.output.hasPrefix("gateway s/b/1/g works\n"), "\(table.output)")
            for part in ["door ", "connected to 127.0.0.1:\(broker.port)", "receiving   working", "outbox "] {
                #expect(table.output.contains(part), "\(table.output)")
            }
            #expect(table.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(table.output)")
            #expect(!table.output.contains("\u{1B}"))
            #expect(await bench.stop() == 0)
            #expect(access(bench.socket, F_OK) != 0, "the socket is gone with the gateway")
        }
    }

    @Test("status ends with 1 and what to do when something fails, and has the latest warnings of the log")
    func failing() async throws {
        let bench = try LocalBench()
        try #require(await bench.isListening())
        let isSeen = try await eventually { try await bench.status()?.broker.lastError != nil }
        #expect(isSeen)
        let table = try await bench.run("status")
        #expect(table.status == 1)
        #expect(table.output.hasPrefix("gateway s/b/1/g does not work as it should\n  broker: "), "\(table.output)")
        #expect(table.output.contains("what to do: "))
        #expect(try await bench.status()?.log.problems.isEmpty == false)
        _ = await bench.stop()
    }

    @Test("Without a gateway the commands end with 69 and how to start it, also where it left its socket")
    func notRunning() async throws {
        let bench = try LocalBench()
        try #require(await bench.isListening())
        bench.daemon.send(signal: SIGKILL)
        _ = await bench.daemon.exitStatus()
        #expect(access(bench.socket, F_OK) == 0)
        for command in [["status"], ["identify", "door"], ["reload"], ["log-level"]] {
            let (status, _, errors) = try await GatewayProgram.run(command + ["--config", bench.configuration])
            #expect(status == 69)
            #expect(errors.contains { $0.contains("what to do: start it") }, "\(errors)")
        }
        #expect(try await GatewayProgram.run(["status", "--socket", "/no/such.sock"]).status == 69)
        // The next run takes the place of what this one left.
        let next = try LocalBench(in: bench.directory)
        try #require(await next.isListening())
        #expect(try await next.status()?.process == next.daemon.identifier)
        _ = await next.stop()
    }

    @Test("identify and reset reach the module, and the audit log has who asked")
    func modules() async throws {
        let bench = try LocalBench(modules: ["door", "hall"])
        try #require(await bench.isListening())
        let isThere = try await eventually {
            try await bench.status()?.modules.allSatisfy { ["unverified", "advertising"].contains($0.state) } == true
        }
        #expect(isThere)
        let identify = try await bench.run("identify", "door")
        #expect(identify.status == 0, "\(identify)")
        #expect(!identify.output.isEmpty)
        let reset = try await bench.run("reset", "hall")
        #expect(reset.status == 0, "\(reset)")
        let unknown = try await bench.run("identify", "window")
        #expect(unknown.status == 64)
        #expect(unknown.errors.contains("there is no module window; the modules are door, hall"), "\(unknown)")
        let entries = AuditLog(path: bench.directory.path + "/audit.jsonl", actor: "").entries().filter {
            $0.uid != nil
        }
        #expect(entries.map(\.action) == ["command-identify", "command-reset"])
        #expect(entries.map(\.module) == ["door", "hall"])
        #expect(entries.allSatisfy { $0.uid == geteuid() && $0.ok == true })
        _ = await bench.stop()
    }

    @Test("modules works while the gateway holds the ports, and names their modules")
    func heldPorts() async throws {
        let bench = try LocalBench(modules: ["door", "hall"])
        try #require(await bench.isListening())
        let isThere = try await eventually {
            try await bench.status()?.modules.allSatisfy { ["unverified", "advertising"].contains($0.state) } == true
        }
        #expect(isThere)
        let list = try await bench.run("modules")
        #expect(list.status == 0, "\(list)")
        #expect(list.errors.contains("(process \(bench.daemon.identifier)) holds 2 ports"), "\(list.errors)")
        let row = list.output.split(separator: "\n").last { $0.contains("/port1 ") }
        #expect(row?.contains("88:DA:1A:00:00:01") == true, "\(list.output)")
        #expect(row?.contains("hall: ") == true && row?.contains("/3/2") == true, "\(list.output)")
        // The module was not disturbed.
        #expect(bench.modules.allSatisfy { $0.currentAir.advertising })
        _ = await bench.stop()
    }

    @Test("reload says what took effect and what needs a restart; a wrong configuration is refused with its lines")
    func reload() async throws {
        let bench = try LocalBench()
        try #require(await bench.isListening())
        _ = try bench.directory.write("floor.csv", LocalBench.inventory(["door", "hall"], bench.directory))
        _ = try bench.directory.write(
            "gateway.toml",
            LocalBench.configuration(bench.directory, brokerPort: 1, further: "[outbox]\nmax-size = \"20MB\""))
        let good = try await bench.run("reload")
        #expect(good.status == 0, "\(good)")
        #expect(good.output.contains("reloaded: inventory (2 modules)"), "\(good)")
        #expect(good.output.contains("needs a restart: outbox"), "\(good)")
        _ = try bench.directory.write(
            "gateway.toml",
            LocalBench.configuration(bench.directory, brokerPort: 1, further: "[outbox]\nmax-size = \"nonsense\""))
        // The command reads the same file to find the socket, so it is given the socket.
        let bad = try await GatewayProgram.run(["reload", "--socket", bench.socket])
        #expect(bad.status == 78)
        #expect(
            bad.errorOutput.contains { $0.contains("gateway.toml:16:") && $0.contains("outbox.max-size") }, "\(bad)")
        #expect(try await bench.status(bySocket: true) != nil)
        _ = await bench.stop()
    }

    @Test("log-level changes what the running gateway logs, and is back after nothing but a restart")
    func logLevel() async throws {
        let bench = try LocalBench(modules: ["door"])
        try #require(await bench.isListening())
        #expect(try await bench.run("log-level").output == "info")
        #expect(try await bench.run("log-level", "debug").output == "debug (info after a restart)")
        #expect(await bench.daemon.errorOutput.first { $0.contains("log level changed") } != nil)
        _ = try await bench.run("reset", "door")
        #expect(await bench.daemon.errorOutput.first { $0.contains(" debug ") && $0.contains("module step") } != nil)
        #expect(try await bench.status()?.log.level == "debug")
        #expect(try await bench.run("log-level", "loud").status == 64)
        _ = await bench.stop()
    }
}
