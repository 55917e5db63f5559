import BeaconModel
import TestSupport
import Testing

@testable import Publishing
@testable import PublishingTests
@testable import RecordContract
@testable import RecordOutbox
@testable import RecordOutboxTests

/// Rows with numbers that no gateway gives, beside two good ones.
@Suite(.timeLimit(.minutes(10))) struct OutboxImpossibleRowsTests {
    private let now = OutboxFixtures.start
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/outbox.db" }

    init() throws { directory = try TemporaryDirectory() }

    struct Numbers: Sendable {
        var id: Int64 = 3
        var enteredAt: Int64 = OutboxFixtures.start.wall.microseconds
        var position = RecordPosition(boot: 1, sequence: 3)

        static let impossible = [
            Numbers(id: .max), Numbers(id: 1 << 56), Numbers(id: 0), Numbers(id: -1), Numbers(id: .min),
            Numbers(enteredAt: .max), Numbers(enteredAt: 1 << 56), Numbers(enteredAt: -1), Numbers(enteredAt: .min),
            Numbers(position: RecordPosition(boot: 1 << 53, sequence: 3)),
            Numbers(position: RecordPosition(boot: .max, sequence: .max)),
            Numbers(position: RecordPosition(boot: 1, sequence: 1 << 53)),
        ]
    }

    private func row(_ numbers: Numbers) -> OutboxRow {
        let record = OutboxFixtures.record(numbers.position.sequence)
        return OutboxRow(
            id: numbers.id, topic: record.topic, priority: record.priority, position: numbers.position,
            enteredAt: numbers.enteredAt, payload: record.payload)
    }

    /// - Parameter hasState: whether there is one, with a correction that is added to the times of all rows.
    private func write(_ numbers: Numbers, hasState: Bool) throws {
        let good = (1...2 as ClosedRange<UInt64>).map { sequence in
            Numbers(id: Int64(sequence), position: RecordPosition(boot: 1, sequence: sequence))
        }
        let store = try OutboxStore.open(path, hasReserve: false)
        try store.applyNow(inserts: (good + [numbers]).map(row), deletes: [])
        if hasState {
            let clock = OutboxClock.State(
                reading: now, time: now.wall.microseconds, steps: [.init(firstID: 1, microseconds: 1000)],
                firstID: 1, origin: now.wall.microseconds)
            store.writeState(OutboxState(clock: clock), isDurable: true)
        }
        try store.closeNow()
    }

    @Test(
        "A row with a number that no gateway gives is given up as damaged, and the gateway starts and goes on",
        arguments: Numbers.impossible, [false, true])
    func start(numbers: Numbers, hasState: Bool) async throws {
        try write(numbers, hasState: hasState)
        let outbox = try await Outbox.open(path, rules: OutboxRules(drainRate: 1e9), now: now)
        let status = await outbox.status(at: now)
        #expect(status.records == 2)
        #expect(status.damaged == 1)
        #expect(outbox.findings.contains { $0.what.hasPrefix("1 records in the outbox ") }, "\(outbox.findings)")
        await outbox.append([OutboxFixtures.record(4)], at: now)
        await outbox.setOnline(true)
        #expect(await outbox.offeredSequences() == [1, 2, 4])
        await outbox.close()
        let again = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(again.findings == [])
        #expect(await again.status(at: now).records == 3)
        await again.close()
    }

    @Test(
        "Whoever looks at the file from outside counts such a row as damaged",
        arguments: Numbers.impossible, [false, true])
    func contents(numbers: Numbers, hasState: Bool) throws {
        try write(numbers, hasState: hasState)
        let contents = try OutboxFile(path: path).contents(at: now)
        #expect(contents.records == 2)
        #expect(contents.damaged == 1)
        #expect(contents.newest == RecordPosition(boot: 1, sequence: 2))
        let leftOut = try OutboxFile(path: path).export { _ in true }
        #expect(leftOut == 1)
    }

    @Test("A row whose numbers are the greatest that a gateway may give is no damage, and times are still told of it")
    func greatest() async throws {
        let numbers = Numbers(
            id: 1 << 56 - 2, enteredAt: 1 << 56 - 1,
            position: RecordPosition(boot: 1 << 53 - 1, sequence: 1 << 53 - 1))
        try write(numbers, hasState: true)
        #expect(try OutboxFile(path: path).contents(at: now).damaged == 0)
        let outbox = try await Outbox.open(path, rules: OutboxRules(), now: now)
        #expect(await outbox.status(at: now).damaged == 0)
        await outbox.append([OutboxFixtures.record(5, boot: 2)], at: now)
        await outbox.close()
    }
}
