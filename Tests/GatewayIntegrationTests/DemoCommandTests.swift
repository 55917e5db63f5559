import GatewayDaemon
import Glibc
import TestSupport
import Testing

/// `demo` with a real broker, and without one.
@Suite(.timeLimit(.minutes(10))) struct DemoCommandTests {
    @Test("The demonstration shows records of modules and badges, ends by itself with status 0, and leaves no file")
    func demo() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let (status, output, errors) = try await ChildProcess.run(
                BuiltProgram.path("beacon-gateway"), ["demo", "--broker-port", "\(broker.port)", "--duration", "4s"],
                environment: ["TMPDIR": directory.path])
            #expect(status == 0, "\(errors)")
            #expect(SystemFiles.names(directory.path) == [], "nothing is left behind")
            #expect(output.contains { $0.contains("started") && $0.contains("module 1") }, "\(output)")
            #expect(output.contains { $0.contains("updated") && $0.contains("badge 1") }, "\(output)")
            #expect(output.contains { $0.contains("ended") && $0.contains("(shutdown)") }, "\(output)")
        }
    }

    @Test("The gateways of the demonstration's floor publish signals of badges, end on SIGINT, and leave no file")
    func demoFloor() async throws {
        try await TestBroker.with { broker in
            let directory = try TemporaryDirectory()
            let messages = try await broker.subscribe(to: "+/v1/demo/main/1/+/signals")
            let demo = try ChildProcess(
                BuiltProgram.path("beacon-gateway"),
                ["demo", "--building", "--speed", "10", "--broker-port", "\(broker.port)"],
                environment: ["TMPDIR": directory.path])
            var silent: Set = ["corridor", "library", "seminar", "studio", "kitchen", "laboratory"]
            while !silent.isEmpty, let message = await messages.first() {
                guard message.contains("7a1d5f0c-3b62-4e8e-9d24-5c0be9f1a6d3") else { continue }
                silent = silent.filter { !message.contains("/\($0)/signals ") }
            }
            #expect(silent == [])
            demo.send(signal: SIGINT)
            #expect(await demo.exitStatus() == 0)
            #expect(SystemFiles.names(directory.path) == [], "nothing is left behind")
        }
    }

    @Test("The demonstration prints the plan of its floor, and refuses it together with another part")
    func demoPlan() async throws {
        let (status, output, _) = try await GatewayProgram.run(["demo", "--plan"])
        #expect(status == 0)
        #expect(output.contains("[[floors]]"))
        let (refused, _, errors) = try await GatewayProgram.run(["demo", "--plan", "--hour"])
        #expect(refused == 64, "\(errors)")
    }

    @Test("The demonstration ends on SIGINT also when its broker has stopped answering")
    func demoWithStuckBroker() async throws {
        try await TestBroker.with { broker in
            let demo = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["demo", "--broker-port", "\(broker.port)"])
            _ = await demo.output.first { $0.contains("updated") }
            await broker.pause()
            demo.send(signal: SIGINT)
            _ = await demo.exitStatus()
            await broker.resume()
        }
    }

    @Test("The demonstration without a broker ends with status 69 and says why")
    func demoWithoutBroker() async throws {
        let port = try await TestBroker.with { $0.port }
        let (status, _, errors) = try await GatewayProgram.run(["demo", "--broker-port", "\(port)", "--duration", "2s"])
        #expect(status == 69)
        #expect(
            errors.contains { $0.hasPrefix("error: broker localhost:") || $0.hasPrefix("error: broker 127.0.0.1:") },
            "\(errors)")
    }
}
