import InteractionStore

/// Stores lines as records, a thousand at a time, and counts what they were.
struct RecordImporter {
    private let store: InteractionStore
    private let now: Int64
    private var batch: [ReceivedRecord] = []
    private var total = InteractionStore.Outcome()
    private var records = 0
    private var others = 0
    private(set) var defects = 0
    /// What is wrong with lines, of the first of them.
    private(set) var notes: [String] = []

    private static let batchSize = 1000
    private static let mostNotes = 20

    init(store: InteractionStore, now: Int64) {
        self.store = store
        self.now = now
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
            defects += 1
            if defects <= Self.mostNotes { notes.append("line \(number): \(error.found)") }
            if defects == Self.mostNotes + 1 { notes.append("and more") }
        }
        if batch.count >= Self.batchSize { try flush() }
    }

    /// - Throws: `StoreError`.
    mutating func flush() throws {
        guard !batch.isEmpty else { return }
        let outcome = try store.store(batch, now: now)
        batch = []
        total.stored += outcome.stored
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
        return parts.joined(separator: ", ")
    }
}
