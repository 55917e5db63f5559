import TestValues
import Testing

/// A full air: what the controller has reported is what the gateway has counted, and strangers disturb nobody.
@Suite(.full, .timeLimit(.minutes(20))) struct RadioRateTests {
    @Test("Every program in the machines ended as it should")
    func status() async throws {
        for machine in [VirtualMachine.oneProcessor, VirtualMachine.twoProcessors] {
            let results = try await machine.results()
            #expect(results.status == 0, "\(results.log)\n\(results.file("failures") ?? "")")
        }
    }

    @Test("3,000 reports a second for ten seconds on one processor: none is lost")
    func threeThousand() async throws {
        try await expectLossless("rate-3000", count: 30_000, in: VirtualMachine.oneProcessor)
    }

    @Test("10,000 reports a second for ten seconds on two processors: none is lost")
    func tenThousand() async throws {
        try await expectLossless("rate-10000", count: 100_000, in: VirtualMachine.twoProcessors)
    }

    @Test("A flood of strangers neither ends nor delays the interactions of beacons that are known")
    func flood() async throws {
        let results = try await VirtualMachine.twoProcessors.results()
        let timeline = try FaultTimeline("flood", from: results)
        let span = try timeline.time(of: "flood")...timeline.time(of: "calm")
        let flood = timeline.controllerLog.first { $0.value.hasPrefix("flood: ") && $0.value.contains("reported") }
        print(flood?.value ?? "no flood")
        let known = timeline.records.filter { span.contains($0.time) && $0.value.isKnown }
        let ended = known.filter { $0.value.kind == "ended" }
        #expect(ended.isEmpty, "\(ended)")
        // One every 5 s of each.
        let updates = known.filter { $0.value.kind == "updated" }
        #expect(updates.count >= 3 * (Int((span.upperBound - span.lowerBound) / 5) - 1), "\(updates)")
        let delays = updates.compactMap { update in update.value.unixTime.map { update.time - $0 } }
        #expect(delays.count == updates.count)
        let longest = delays.max() ?? .infinity
        print("records of known beacons came \(longest) s after their time at most")
        // Each is out before the next one is due.
        #expect(longest < 5, "\(delays)")
    }

    @Test("A flood of strangers costs bounded memory, and what isn't followed is counted")
    func memory() async throws {
        let results = try await VirtualMachine.twoProcessors.results()
        let timeline = try FaultTimeline("flood", from: results)
        func kilobytes(_ name: String) throws -> Int {
            try #require(results.lines("flood.memory-\(name)").first.flatMap(Int.init))
        }
        let (before, after, later) = (try kilobytes("before"), try kilobytes("after"), try kilobytes("later"))
        let drops = timeline.healths.last?.value.drops ?? [:]
        print("resident memory \(before) kB, after the flood \(after) kB, 35 s later \(later) kB; drops \(drops)")
        // 100 interactions of at most some kilobytes each, the outbox, and the batches between threads.
        #expect(after - before < 64 * 1024)
        #expect(drops["unlisted", default: 0] > 0)
        #expect(drops["table-full", default: 0] > 0)
    }

    private func expectLossless(_ step: String, count: Int, in machine: VirtualMachine) async throws {
        let results = try await machine.results()
        let timeline = try FaultTimeline(step, from: results)
        let line = timeline.controllerLog.first { $0.value.hasPrefix("synthetic: ") }?.value ?? ""
        let reported = line.firstMatch(of: /synthetic: (\d+) reported in \d+ events in ([\d.]+) s/)
        let health = timeline.healths.last?.value
        print("\(step): controller \(line); gateway \(health?.reports ?? -1), drops \(health?.drops ?? [:])")
        #expect(reported.flatMap { Int($0.1) } == count, "\(line)")
        #expect(health?.reports == count, "\(results.log)")
        #expect(health?.drops["too-slow"] == 0)
        // It was the rate that it was meant to be.
        let seconds = try #require(reported.flatMap { Double($0.2) })
        #expect(seconds < 12, "the machine was too slow for the test: \(line)")
    }
}

extension RadioMessage.Record {
    /// Whether it is one of the three of scenarios/known.txt.
    fileprivate var isKnown: Bool {
        [[7, 2603], [513, 65535], [0, 1]].contains([data.beacon.major, data.beacon.minor])
    }
}
