import BeaconModel
import Glibc
import RecordContract
import SyntheticRecords
import SystemIO
import TestSupport
import TestValues
import Testing

/// A process with the gateway's outbox and publisher that is killed at random moments.
@Suite(.timeLimit(.minutes(10))) struct ProbeKillTests {
    private static let kills = TestScale.amount(20, full: 200)

    @Test(
        "A gateway that is killed again and again with -9 while it publishes loses nothing that had entered its outbox")
    func kills() async throws {
        var generator = SeededGenerator("probe killed")
        let directory = try TemporaryDirectory()
        let store = directory.path + "/outbox.db"
        var entered: Set<RecordPosition> = []
        var begun: Set<RecordPosition> = []
        var damages: [String] = []
        var findings: [String] = []
        let start = ContinuousClock.now
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            for run in 1...UInt64(Self.kills) {
                // Now and then there is no broker, so that records of several runs wait together.
                let isAlone = Int.random(in: 0..<4, using: &generator) == 0
                let probe = try ProbeRun(
                    store: store, port: isAlone ? 1 : broker.port, boot: run,
                    batch: Int.random(in: 1...5, using: &generator))
                await probe.kill(after: .milliseconds(Int.random(in: 0...150, using: &generator)))
                entered.formUnion(probe.entered)
                begun.formUnion(probe.begun)
                findings += probe.findings
                if let damage = try IntegrityCheck.damage(of: store, in: directory.path) { damages.append(damage) }
            }
            let last = try ProbeRun(store: store, port: broker.port, boot: UInt64(Self.kills) + 1, batch: 1, count: 1)
            #expect(await last.end() == 0)
            entered.formUnion(last.entered)
            begun.formUnion(last.begun)
            _ = await eventually { await consumer.has(entered) }
            await consumer.disconnect()
            let tally = await consumer.tally
            // A frame of a transaction that wasn't finished: nothing in it had entered.
            let tails = findings.filter { $0.contains("write-ahead log") }
            print("kills  entered  received  duplicates  corrupt  unfinished  seconds")
            print(
                [
                    ("\(Self.kills)", 7), ("\(entered.count)", 9), ("\(tally.received.count)", 10),
                    ("\(tally.duplicates)", 12), ("\(damages.count)", 9), ("\(tails.count)", 12),
                    ("\((ContinuousClock.now - start).components.seconds)", 0),
                ].map { text, width in text + String(repeating: " ", count: max(0, width - text.count)) }.joined())
            #expect(entered.subtracting(tally.received).isEmpty, "lost; \(generator.comment)")
            #expect(tally.received.subtracting(begun).isEmpty, "invented; \(generator.comment)")
            #expect(tally.outOfOrder.isEmpty, generator.comment)
            #expect(damages == [], generator.comment)
            #expect(findings.count == tails.count, generator.comment)
        }
    }
}

/// One life of the probe.
private final class ProbeRun: Sendable {
    private let process: ChildProcess
    private let reading: Task<[String], Never>
    private let lines = LockedValue<[String]>([])
    private let firstEntered: AsyncStream<Void>
    private let boot: UInt64

    init(store: String, port: UInt16, boot: UInt64, batch: Int, count: UInt64 = 1_000_000) throws {
        self.boot = boot
        process = try ChildProcess(
            BuiltProgram.path("PublisherProbe"),
            [
                "--port", "\(port)", "--outbox", store, "--boot", "\(boot)", "--batch", "\(batch)", "--count",
                "\(count)", "--size", "600", "--most", "1000000", "--patience", "20",
            ])
        let (firstEntered, continuation) = AsyncStream<Void>.makeStream()
        self.firstEntered = firstEntered
        let (process, lines) = (process, lines)
        reading = Task {
            while let line = await process.output.first() {
                lines.withLock { $0.append(line) }
                if line.hasPrefix("entered") { continuation.yield() }
            }
            continuation.finish()
            return []
        }
    }

    /// Kills it so long after its first record has entered the outbox.
    func kill(after time: Duration) async {
        _ = await firstEntered.first { _ in true }
        try? await Task.sleep(for: time)
        process.send(signal: SIGKILL)
        _ = await process.exitStatus()
        _ = await reading.value
    }

    func end() async -> Int32 {
        let status = await process.exitStatus()
        _ = await reading.value
        return status
    }

    /// What `append` had returned for.
    var entered: Set<RecordPosition> { positions("entered ") }
    /// What was on its way into the outbox, and may be there or not.
    var begun: Set<RecordPosition> { positions("begin ") }
    var findings: [String] { lines.withLock { $0.filter { $0.hasPrefix("finding ") } } }

    private func positions(_ prefix: String) -> Set<RecordPosition> {
        lines.withLock { lines in
            var positions: Set<RecordPosition> = []
            for line in lines where line.hasPrefix(prefix) {
                let numbers = line.split(separator: " ").compactMap { UInt64($0) }
                guard numbers.count == 3, numbers[1] <= numbers[2] else { continue }
                for sequence in numbers[1]...numbers[2] {
                    positions.insert(RecordPosition(boot: numbers[0], sequence: sequence))
                }
            }
            return positions
        }
    }
}
