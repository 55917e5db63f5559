import Glibc
import RecordContract
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Rollout

/// Rollouts to real gateways through a real broker: six every day, and 200 at full scale.
@Suite(.timeLimit(.minutes(60)), .serialized) struct FleetRolloutTests {
    private static let count =
        getenv("BEACON_TEST_GATEWAYS").flatMap { Int(String(cString: $0)) } ?? TestScale.amount(6, full: 200)
    /// Restarts and liveness take longer where hundreds of programs share a machine with other tests.
    private static let trial = "\(max(20, count))s"

    @Test func `Faulty gateways return by themselves, and the others work on and lose nothing`() async throws {
        try await TestBroker.with { broker in
            let fixture = try FleetFixture(broker: broker, gateways: Self.count)
            let records = try await broker.subscribe(to: "beacons/v1/#")
            try await fixture.commit()
            try await fixture.start()

            let start = ContinuousClock.now
            let plan = try await fixture.fleet("plan")
            Self.measure("plan of the first configurations", since: start)
            #expect(plan.status == 0, "\(plan.errorOutput)")
            #expect(plan.output.last?.contains("\(Self.count) of \(Self.count) gateways would change") == true)

            // Everybody gets the first configuration.
            try await apply(fixture, expecting: ["accepted": Self.count], status: 0, "first configurations")
            let same = try await fixture.fleet("plan", "--exit-code")
            #expect(same.status == 0, "\(same.output)")

            // One of ten gets a broker that is not there.
            let faulty = Set(fixture.gateways.filter { $0.gateway == "g1" })
            try fixture.writeCommon(silence: "31s")
            for gateway in faulty { try fixture.writeFile("\(gateway).toml", "[mqtt]\nport = 1\n") }
            let uncommitted = try await fixture.fleet("plan", "--diff")
            #expect(uncommitted.output.contains("  - silence = \"30s\""), "\(uncommitted.output)")
            try await fixture.commit()
            try await apply(
                fixture, expecting: ["accepted": Self.count - faulty.count, "returned": faulty.count], status: 1,
                "second configurations, \(faulty.count) of them faulty")
            // A gateway that has returned has just started again.
            let allWork = try await eventually(within: .seconds(120)) {
                try await fixture.states().values.allSatisfy(\.works)
            }
            #expect(allWork)
            let states = try await fixture.states()
            for gateway in fixture.gateways {
                #expect(fixture.isRunning(gateway))
                #expect(states[gateway]?.state == (faulty.contains(gateway) ? .returned : .accepted), "\(gateway)")
            }
            let left = try await fixture.fleet("plan", "--json")
            #expect(
                left.output.first?.split(separator: #""changes":true"#, omittingEmptySubsequences: false).count
                    == faulty.count + 1)

            // Nobody is touched by a rollout that changes nothing for them.
            for gateway in faulty { try fixture.writeFile("\(gateway).toml", "") }
            try await fixture.commit()
            try await apply(
                fixture, expecting: ["accepted": faulty.count, "unchanged": Self.count - faulty.count], status: 0,
                "corrected configurations")
            let after = try await fixture.states()
            for gateway in fixture.gateways where !faulty.contains(gateway) {
                #expect(
                    after[gateway]?.boot == states[gateway]?.boot && after[gateway]?.since == states[gateway]?.since)
            }
            Self.measureMemory(fixture)
            await fixture.stop()
            try await expectNoGaps(records, broker)
        }
    }

    @Test func `A failure in the first stage keeps the configuration from all others`() async throws {
        try await TestBroker.with { broker in
            let fixture = try FleetFixture(broker: broker, gateways: 3)
            try fixture.writeFile(
                "fleet.toml",
                """
                key-file = "\(fixture.directory.path)/commands.key"
                [broker]
                host = "127.0.0.1"
                port = \(broker.port)

                """)
            // Only the gateways know that a file is missing there.
            try fixture.writeCommon(silence: "30s")
            let first = try #require(fixture.gateways.first)
            try fixture.writeFile("\(first).toml", "inventory = \"no-such-file.toml\"\n")
            try await fixture.commit()
            try await fixture.start()
            let before = try await fixture.states()
            let result = try await fixture.fleet("apply", "--yes", "--trial", "20s")
            #expect(result.status == 1, "\(result)")
            #expect(
                result.output.contains { $0.contains("\(first): refused: ") && $0.contains("no-such-file") },
                "\(result)")
            #expect(result.output.contains { $0.hasPrefix("1 refused, 2 not asked") }, "\(result)")
            #expect(try await fixture.states().mapValues(\.since) == before.mapValues(\.since))
            await fixture.stop()
        }
    }

    private func apply(
        _ fixture: FleetFixture, expecting: [String: Int], status: Int32, _ what: String
    ) async throws {
        let start = ContinuousClock.now
        let result = try await fixture.fleet("apply", "--yes", "--json", "--trial", Self.trial)
        Self.measure("apply of the \(what)", since: start)
        #expect(result.status == status, "\(result.output.suffix(20)) \(result.errorOutput)")
        let last = try JSON.decode(Finished.self, from: Array((result.output.last ?? "").utf8))
        #expect(last.counts.filter { $0.value > 0 } == expecting, "\(result.output.filter { $0.contains("ended") })")
    }

    private struct Finished: Decodable {
        var counts: [String: Int]
    }

    /// Expects that the records of each run of each gateway are numbered without a gap from the first one on.
    private func expectNoGaps(_ records: LineStream, _ broker: TestBroker) async throws {
        try await broker.publish("beacons/v1/s/b/f/g/beacon/end", "{}")
        var numbers: [String: Set<Int>] = [:]
        while let line = await records.first(), !line.contains("/beacon/end") {
            let words = line.split(separator: " ", maxSplits: 3)
            guard words.count == 4, words[2].contains("/beacon/") || words[2].hasSuffix("/readings"),
                words[0] == "0",
                let boot = words[3].firstMatch(of: #/"boot":(\d+)/#)?.1,
                let sequence = words[3].firstMatch(of: #/"sequence":(\d+)/#)?.1, let number = Int(sequence)
            else { continue }
            let gateway = words[2].split(separator: "/").dropFirst(2).prefix(4).joined(separator: "/")
            numbers["\(gateway) \(boot)", default: []].insert(number)
        }
        #expect(numbers.count >= Self.count)
        for (run, sequences) in numbers {
            let range = (sequences.min() ?? 0)...(sequences.max() ?? 0)
            let missing = range.filter { !sequences.contains($0) }
            #expect(missing.isEmpty, "\(run): \(missing.prefix(10)) of \(range)")
        }
    }

    private static func measure(_ what: String, since start: ContinuousClock.Instant) {
        let duration = (ContinuousClock.now - start).formattedSeconds
        note("\(count) gateways, \(what): \(duration) s\n")
    }

    private static func measureMemory(_ fixture: FleetFixture) {
        let sizes = fixture.residentKilobytes.sorted()
        guard let median = sizes.dropFirst(sizes.count / 2).first else { return }
        note("\(count) gateways, memory of one: \(median / 1024) MB (median)\n")
    }

    private static func note(_ line: String) { _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) } }
}

extension Duration {
    fileprivate var formattedSeconds: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
