import InteractionStore
import RecordContract

/// Stores lines as records, a thousand at a time, and counts what they were.
struct RecordImporter {
    private let store: InteractionStore
    private let now: Int64
    private let clockIsSynchronized: Bool
    private let verifier: MessageVerifier?
    private var unsigned = 0
    private var batch: [ReceivedRecord] = []
    private var total = InteractionStore.Outcome()
    private var records = 0
    private var others = 0
    private(set) var defects = 0
    /// Records that the database doesn't take.
    private(set) var rejected = 0
    private(set) var firstRejected: [InteractionStore.Rejection] = []
    /// What is to be known besides: what is wrong with lines, of the first of them.
    private(set) var notes: [String] = []

    /// The defects of all lines, by what is wrong.
    private var reasons: [String: Int] = [:]

    private static let batchSize = 1000
    private static let mostReasons = 50
    private static let mostNotes = 20

    /// - Parameter verifier: `nil`: nobody asks for signatures.
    init(store: InteractionStore, now: Int64, clockIsSynchronized: Bool, verifier: MessageVerifier? = nil) {
        self.store = store
        self.now = now
        self.clockIsSynchronized = clockIsSynchronized
        self.verifier = verifier
        if !clockIsSynchronized {
            notes.append(
                "this machine's clock isn't synchronized: records of any time are taken; give --as-of TIME to refuse those "
                    + "that are older than interactions are kept")
        }
    }

    /// - Throws: `StoreError`.
    mutating func take(_ line: [UInt8], number: Int) throws {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
        do throws(RecordReader.Defect) {
            let (record, isUnsigned) = try RecordReader.read(line, verifier: verifier)
            records += 1
            if isUnsigned { unsigned += 1 }
            if case .other = record { others += 1 }
            batch.append(record)
        } catch {
            if let counted = error.counted { batch.append(counted) }
            defects += 1
            if reasons[error.found] != nil || reasons.count < Self.mostReasons {
                reasons[error.found, default: 0] += 1
            }
            if defects <= Self.mostNotes { notes.append("line \(number): \(error.found)") }
        }
        if batch.count >= Self.batchSize { try flush() }
    }

    /// - Throws: `StoreError`.
    mutating func flush() throws {
        guard !batch.isEmpty else { return }
        let outcome = try store.store(batch, now: now, clockIsSynchronized: clockIsSynchronized)
        batch = []
        total.stored += outcome.stored
        total.known += outcome.known
        firstRejected += outcome.rejected.prefix(Self.mostNotes - firstRejected.count)
        rejected += outcome.rejected.count
        for (refusal, count) in outcome.refused { total.refused[refusal, default: 0] += count }
    }

    /// Compares what was heard in the minutes of the records. All of them are taken to have come.
    ///
    /// - Throws: `StoreError`.
    func settle() throws -> InteractionStore.Settling {
        try store.settleAllReadings(before: now + InteractionStore.clockTolerance, now: now)
    }

    /// Of more lines than are noted: how many have which defect.
    var defectSummary: String? {
        guard defects > Self.mostNotes else { return nil }
        let counts = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        return "\(defects) lines in all: " + counts.joined(separator: "; ")
    }

    var summary: String {
        var parts = ["\(total.stored) new"]
        if total.known > 0 { parts.append("\(total.known) stored already") }
        if others > 0 { parts.append("\(others) of other kinds") }
        if unsigned > 0 { parts.append("\(unsigned) unsigned, which signing.required = false allows") }
        for refusal in InteractionStore.Refusal.allCases {
            guard let count = total.refused[refusal] else { continue }
            let reason =
                switch refusal {
                case .expired: "older than interactions are kept"
                case .future: "of the future"
                case .erased: "of erased subjects"
                case .revoked: "of gateways that are revoked"
                case .overQuota: "of gateways that had their quota of a day"
                case .changed: "refused that change whose an interaction is or when it began"
                case .manyDays: "of more days than there can be, while this machine's clock isn't synchronized"
                case .contradicting: "refused that contradict the first record with their boot and sequence"
                }
            parts.append("\(count) \(reason)")
        }
        if rejected > 0 { parts.append("\(rejected) that the database doesn't take") }
        return "\(records) \(records == 1 ? "record" : "records"): " + parts.joined(separator: ", ")
    }
}
