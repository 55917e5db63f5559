import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("deploy/mosquitto: limits", .timeLimit(.minutes(10)))
struct DeployedLimitTests {
    @Test("A message that no matcher takes isn't taken")
    func longMessage() async throws {
        try await DeployedBroker.with { broker in
            let seen = try await broker.subscribe("#", as: DeployedBroker.observer)
            for (length, topic) in [(265_000, "readings"), (262_000, "info")] {
                let path = try broker.directory.write("long", String(repeating: "x", count: length))
                let topic = DeployedBroker.own + "/" + topic
                _ = try await broker.run("mosquitto_pub", as: "s/b/1/g", ["-q", "1", "-t", topic, "-f", path])
            }
            #expect(await seen.output.first() == DeployedBroker.own + "/info")
            seen.send(signal: SIGKILL)
            _ = await seen.exitStatus()
        }
    }

    @Test("What a gateway retains ends at the limit of the memory, which isn't acknowledged")
    func memory() async throws {
        try await DeployedBroker.with(memory: 10_000_000) { broker in
            let path = try broker.directory.write("long", String(repeating: "x", count: 250_000))
            var taken = 0
            while taken < 80 {
                let topic = DeployedBroker.own + "/beacon/u/1/\(taken)/presence"
                let result = try await broker.run(
                    "mosquitto_pub", as: "s/b/1/g", ["-V", "mqttv5", "-q", "1", "-r", "-t", topic, "-f", path])
                if result.status != 0 { break }
                taken += 1
            }
            #expect(taken > 0 && taken < 80, "\(taken)")
        }
    }
}
