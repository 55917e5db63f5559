import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("deploy/mosquitto: sessions", .timeLimit(.minutes(10)))
struct DeployedSessionTests {
    @Test("Nobody ends another's connection, or takes another's session, by its identifier")
    func takenIdentifier() async throws {
        try await DeployedBroker.with { broker in
            let command = DeployedBroker.own + "/command/reset"
            let gateway = try await broker.subscribe(DeployedBroker.own + "/command/+", as: "s/b/1/g", format: "%p")
            let matcher = try await broker.subscribe(
                command, as: "consumer_matcher", format: "%p", further: ["-i", "beacon-matcher-1"])
            for thief in ["s/b/1/other", "analyst_reports", "operator_desk", DeployedBroker.key] {
                for identifier in ["s/b/1/g", "beacon-matcher-1"] {
                    _ = try await broker.run(
                        "mosquitto_sub", as: thief, ["-i", identifier, "-c", "-q", "1", "-t", "x", "-E"])
                }
            }
            try await broker.publish(command, as: DeployedBroker.observer, "still here")
            #expect(await gateway.output.first() == "still here")
            #expect(await matcher.output.first() == "still here")
            try await broker.publish("end", as: DeployedBroker.observer)
            let log = await broker.log(until: "'end'")
            #expect(!log.contains { $0.contains("s/b/1/g already connected") || $0.contains("matcher-1 already") })
            for process in [gateway, matcher] {
                process.send(signal: SIGKILL)
                _ = await process.exitStatus()
            }
        }
    }

    // The identifier of all matchers was known: a session that was taken over lost what waited in it.
    @Test("An analyst can't take the matcher's session, and what waits in it, while the matcher is away")
    func takenSession() async throws {
        try await DeployedBroker.with { broker in
            let configuration = try broker.directory.write(
                "matcher.toml",
                """
                [store]
                location = "\(broker.directory.path)/store.sqlite"
                [metrics]
                listen = "off"
                [mqtt]
                host = "127.0.0.1"
                port = \(broker.port(of: .matchers))
                username = "consumer_matcher"
                password-file = "\(try broker.directory.write("password", "secret"))"
                """)
            let stored = try await broker.subscribe(
                DeployedBroker.own + "/stored", as: DeployedBroker.observer, format: "%p")
            func run() throws -> ChildProcess {
                try ChildProcess(BuiltProgram.path("beacon-matcher"), ["run", "--config", configuration])
            }
            let first = try run()
            #expect(await first.errorOutput.first { $0.contains(" storing") } != nil)
            try await broker.publish(
                DeployedBroker.own + "/health", as: "s/b/1/g", #"{"outbox":{"oldest":{"boot":1,"sequence":1}}}"#)
            #expect(await stored.output.first { $0.contains(#""sequence":0"#) } != nil)
            first.send(signal: SIGTERM)
            #expect(await first.exitStatus() == 0)
            for sequence in 1...50 {
                try await broker.publish(
                    DeployedBroker.own + "/beacon/u/1/1/interaction", as: "s/b/1/g",
                    #"{"data":{"boot":1,"sequence":\#(sequence),"place":{"site":"s","building":"b","floor":"1","gateway":"g"}}}"#
                )
            }
            for id in ["beacon-matcher", "beacon-matcher-notices"] {
                _ = try await broker.run(
                    "mosquitto_sub", as: "analyst_reports", ["-i", id, "-q", "1", "-t", "beacons/v1/#", "-E"])
            }
            let second = try run()
            #expect(await stored.output.first { $0.contains(#""sequence":50"#) } != nil)
            second.send(signal: SIGTERM)
            #expect(await second.exitStatus() == 0)
            stored.send(signal: SIGKILL)
            _ = await stored.exitStatus()
        }
    }

    @Test("A consumer that was away is given more than mosquitto keeps by default, and without one lost")
    func consumerWasAway() async throws {
        try await DeployedBroker.with { broker in
            let session = ["-c", "-i", "consumer", "-q", "1", "-t", "beacons/v1/#"]
            // Subscribes and leaves.
            let first = try await broker.run("mosquitto_sub", as: "consumer_matcher", session + ["-E"])
            try #require(first.status == 0, "\(first.errorOutput)")
            let numbers = (1...3000).map { "\($0)" }
            let path = try broker.directory.write("numbers", numbers.map { $0 + "\n" }.joined())
            let options = broker.options("s/b/1/g").joined(separator: " ")
            let published = try await ChildProcess.run(
                "sh",
                [
                    "-c",
                    "exec mosquitto_pub \(options) -q 1 -t \(DeployedBroker.own)/health -l < \(path)",
                ])
            try #require(published.status == 0, "\(published.errorOutput)")
            let received = try await broker.run("mosquitto_sub", as: "consumer_matcher", session + ["-C", "3000"])
            #expect(received.output == numbers)
        }
    }
}
