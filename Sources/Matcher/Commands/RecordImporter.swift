import InteractionStore

/// Stores lines as records, a thousand at a time, and counts what they were.
struct RecordImporter {
    private let store: InteractionStore
    private let now: Int64
    private let clockIsSynchronized: Bool
    private var batch: [ReceivedRecord] = []
    private var total = InteractionStore.Outcome()
    private var records = 0
    private var others = 0
    private(set) var defects = 0
    /// Records that the database doesn't take.
    private(set) var rejected = 0
    private(set) var firstRejected: [InteractionStore.Rejection] = []
    /// What is wrong with lines, of the first of them.
    private(set) var notes: [String] = []

    private static let batchSize = 1000
    private static let mostNotes = 20

    init(store: InteractionStore, now: Int64, clockIsSynchronized: Bool) {
        self.store = store
        self.now = now
        self.clockIsSynchronized = clockIsSynchronized
    }

    /// - Throws: `StoreError`.
    mutating func take(_ line: [UInt8], number: Int) throws {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
        do throws(RecordReader.Defect) {
            let record = try RecordReader.read(line)
            records += 1
            if case .other = record { others += 1 }
            batch.append(record)
        } catch {
            if let counted = error.counted { batch.append(counted) }
            defects += 1
            if defects <= Self.mostNotes { notes.append("line \(number): \(error.found)") }
            if defects == Self.mostNotes + 1 { notes.append("and more") }
        }
        if batch.count >= Self.batchSize { try flush() }
    }

    /// - Throws: `StoreError`.
    mutating func flush() throws {
        guard !batch.isEmpty else { return }
        let outcome = try store.store(batch, now: now, clockIsSynchronized: clockIsSynchronized)
        batch = []
        total.stored += outcome.stored
        firstRejected += outcome.rejected.prefix(Self.mostNotes - firstRejected.count)
        rejected += outcome.rejected.count
        for (refusal, count) in outcome.refused { total.refused[refusal, default: 0] += count }
    }

    var summary: String {
        var parts = ["\(records) records"]
        if others > 0 { parts.append("\(others) of them of other kinds") }
        for refusal in InteractionStore.Refusal.allCases {
            guard let count = total.refused[refusal] else { continue }
            let reason =
                switch refusal {
                case .expired: "older than interactions are kept"
                case .future: "of the future"
                case .erased: "of erased subjects"
                }
            parts.append("\(count) \(reason)")
        }
        if rejected > 0 { parts.append("\(rejected) that the database doesn't take") }
        return parts.joined(separator: ", ")
    }
}
