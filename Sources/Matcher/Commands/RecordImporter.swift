import Evidence
import InteractionStore
import RecordContract

/// Importer that stores lines as records, a thousand at a time, and counts the results.
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
    /// Number of records that the database refuses.
    private(set) var rejected = 0
    private(set) var firstRejected: [InteractionStore.Rejection] = []
    /// Notes for the user: the clock, and the defects of the first damaged lines.
    private(set) var notes: [String] = []

    /// Number of damaged lines by defect.
    private var reasons: [String: Int] = [:]

    private static let batchSize = 1000
    private static let mostReasons = 50
    private static let mostNotes = 20

    /// Creates an importer.
    ///
    /// - Parameter verifier: verifier of signatures; if `nil`, none are required.
    init(store: InteractionStore, now: Int64, clockIsSynchronized: Bool, verifier: MessageVerifier? = nil) {
        self.store = store
        self.now = now
        self.clockIsSynchronized = clockIsSynchronized
        self.verifier = verifier
        if !clockIsSynchronized {
            notes.append(
                "this machine's clock is not synchronized: records of any time are accepted; specify --as-of TIME to "
                    + "reject those that are older than the retention")
        }
    }

    /// Reads a line and adds its record to the batch.
    ///
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

    /// Stores the batch.
    ///
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

    /// Compares what was heard in the minutes of the records. All readings are assumed to have arrived.
    ///
    /// - Throws: `StoreError`.
    func settle() throws -> InteractionStore.Settling {
        try store.settleAllReadings(before: now + InteractionStore.clockTolerance, now: now)
    }

    /// Number of lines by defect; `nil` if each damaged line has a note of its own.
    var defectSummary: String? {
        guard defects > Self.mostNotes else { return nil }
        let counts = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        return "\(defects) lines in all: " + counts.joined(separator: "; ")
    }

    var summary: String {
        var parts = ["\(total.stored) new"]
        if total.known > 0 { parts.append("\(total.known) stored already") }
        if others > 0 { parts.append("\(others) of other kinds") }
        if unsigned > 0 { parts.append("\(unsigned) unsigned, as signing.required = false allows") }
        for refusal in InteractionStore.Refusal.allCases {
            guard let count = total.refused[refusal] else { continue }
            let reason =
                switch refusal {
                case .expired: "older than the retention"
                case .future: "in the future"
                case .erased: "of erased subjects"
                case .revoked: "of revoked gateways"
                case .overQuota: "over the daily quota of their gateway"
                case .changed: "rejected, because they change the subject or start of an interaction"
                case .manyDays: "of more days than plausible, while this machine's clock is not synchronized"
                case .contradicting: "rejected, because they contradict the first record with their boot and sequence"
                }
            parts.append("\(count) \(reason)")
        }
        if rejected > 0 { parts.append("\(rejected) rejected by the database") }
        return "\(records) \(records == 1 ? "record" : "records"): " + parts.joined(separator: ", ")
    }
}
