import BeaconModel
import TestSupport
import Testing

@testable import GatewayCoreTests

/// The built program, a real broker, and `mosquitto_pub` in the place of nodes.
@Suite("Remote receivers of a running gateway", .timeLimit(.minutes(10)))
struct RemoteReceiverProgramTests {
    private final class Bench: Sendable {
        let directory: TemporaryDirectory
        let broker: TestBroker
        let daemon: ChildProcess
        let received: LineStream

        static let root = "beacons/v1/s/b/1/g"
        static let beacon = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/3/1"

        init(_ broker: TestBroker, further: String = "") async throws {
            self.broker = broker
            directory = try TemporaryDirectory()
            let configuration = try directory.writeConfiguration(
                brokerPort: broker.port,
                further: """
                    [interactions]
                    update-interval = "1s"
                    [[remote-receivers]]
                    name = "kitchen"
                    kind = "espresense"
                    room = "Kitchen"
                    position = { x = 1.0, y = 2.0, z = 2.2 }
                    silence = "2s"
                    shortest-silence = "2s"
                    longest-silence = "2s"
                    [[remote-receivers]]
                    name = "hall"
                    kind = "theengs"
                    \(further)
                    """)
            received = try await broker.subscribe(to: Self.root + "/#")
            daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
        }

        func publish(_ payload: String, on topic: String, _ further: String...) async throws {
            _ = try await ChildProcess.run(
                "mosquitto_pub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", topic, "-m", payload] + further)
        }

        /// Publishes ever again what a node hears, until `body` has ended, and then at once that it is offline.
        ///
        /// In a process of its own: no silence of the node comes from what else this one has to do.
        func node<Result>(
            _ payload: String, on topic: String, status: String? = nil, _ body: () async -> Result
        ) async throws -> Result {
            let script = """
                trap 'gone=yes' TERM
                say() { mosquitto_pub -h 127.0.0.1 -p "$port" -q 1 "$@"; }
                port=$1
                until [ "$gone" ]; do say -t "$2" -m "$3"; sleep 0.1; done
                [ -z "$4" ] || say -r -t "$4" -m offline
                """
            let node = try ChildProcess("sh", ["-c", script, "sh", "\(broker.port)", topic, payload, status ?? ""])
            let result = await body()
            node.send(signal: 15)
            _ = await node.exitStatus()
            return result
        }

        func kitchenHears<Result>(status: String? = nil, _ body: () async -> Result) async throws -> Result {
            try await node(
                RemoteReceiverPayloads.espresense4,
                on: "espresense/devices/iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-3-1/kitchen", status: status, body)
        }

        func record(_ type: String, _ parts: String...) async -> String? {
            await received.first { line in
                Self.isRecord(line, type) && parts.allSatisfy { line.contains($0) }
            }
        }

        /// A record and a presence, whichever comes first.
        func recordAndPresence(
            _ type: String, present: String
        ) async -> (record: String?, presence: String?) {
            var found: (record: String?, presence: String?)
            while found.record == nil || found.presence == nil {
                guard
                    let line = await received.first(where: {
                        Self.isRecord($0, type) || $0.contains("/presence ") && $0.contains(#""present":\#(present)"#)
                    })
                else { break }
                if Self.isRecord(line, type) { found.record = line } else { found.presence = line }
            }
            return found
        }

        private static func isRecord(_ line: String, _ type: String) -> Bool {
            line.contains("/beacon/\(beacon)/interaction ") && line.contains(#""type":"interaction.\#(type)""#)
        }

        func end() async {
            daemon.send(signal: 15)
            _ = await daemon.exitStatus()
        }
    }

    @Test("What a node hears is a record of this gateway at the node's place, and ends as lost when the node is gone")
    func node() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker)
            let status = "espresense/rooms/kitchen/status"
            try await bench.publish("online", on: status, "-r")
            let (started, presence) = try await bench.kitchenHears(status: status) {
                await bench.recordAndPresence("started", present: "true")
            }
            #expect(
                started?.contains(#""ear":"kitchen","floor":"1","gateway":"g","position":{"x":1,"y":2,"z":2.2"#)
                    == true,
                "\(started ?? "")")
            #expect(started?.contains(#""room":"Kitchen""#) == true, "\(started ?? "")")
            #expect(started?.contains(#""counterpart":{"id":"s/b/1/g/kitchen","kind":"gateway"}"#) == true)
            #expect(started?.contains("dd8800003777") == false, "an address")
            #expect(presence?.contains(#""ear":"kitchen""#) == true, "\(presence ?? "")")
            let (ended, unknown) = await bench.recordAndPresence("ended", present: "null")
            #expect(ended?.contains(#""endReason":"lost""#) == true)
            #expect(unknown != nil)
            await bench.end()
        }
    }

    @Test("Strangers and nonsense on a node's topics are never published; two nodes have interactions of their own")
    func strangers() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker)
            let first = try await bench.kitchenHears { await bench.record("started") }
            #expect(first?.contains(#""ear":"kitchen""#) == true)
            for payload in ["{", "", "[1]", RemoteReceiverPayloads.espresenseAlias, #"{"id":7}"#] {
                try await bench.publish(payload, on: "espresense/devices/x/kitchen")
            }
            try await bench.publish(
                #"{"id":"iBeacon:00000000-dffb-48d2-b060-d0f5a71096e0-3-1","rssi":-60,"rssi@1m":-59}"#,
                on: "espresense/devices/y/kitchen")
            var others: [String] = []
            let second = try await bench.node(
                RemoteReceiverPayloads.theengs, on: "home/TheengsGateway/BTtoMQTT/AABBCCDDEEFF"
            ) {
                await bench.received.first { line in
                    others.append(line)
                    return line.contains(#""ear":"hall""#) && line.contains(#""type":"interaction.started""#)
                }
            }
            #expect(second?.contains(#""interaction":"s/b/1/g/hall/"#) == true, "\(second ?? "")")
            for secret in ["00000000-dffb", "keys", "AA:BB", "AABB", "dd8800003777"] {
                #expect(!others.contains { $0.contains(secret) }, "\(others)")
            }
            await bench.end()
        }
    }

    @Test("Killed, it ends after the restart what a remote receiver had begun, under the number that it had")
    func restart() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker)
            let started = try await bench.kitchenHears { await bench.record("started") }
            let interaction = started?.split(separator: #""interaction":""#).last?.split(separator: "\"").first
            #expect(interaction != nil)
            bench.daemon.send(signal: 9)
            _ = await bench.daemon.exitStatus()
            let next = try ChildProcess(
                BuiltProgram.path("beacon-gateway"), ["run", "--config", bench.directory.path + "/gateway.toml"])
            let ended = await bench.record("ended", #""ear":"kitchen""#)
            #expect(ended?.contains(String(interaction ?? "?")) == true, "\(ended ?? "")")
            next.send(signal: 15)
            _ = await next.exitStatus()
        }
    }
}
