import Evidence
import Matching
import RecordContract

/// Decides which records of a batch are stored, given the stored state of their interactions. Pure: the same records
/// give the same rows, in one batch or in several.
///
/// Of two records that contradict each other, the first counts. Records contradict each other if they have the same
/// gateway, boot and sequence and different contents, or if they are of one interaction and differ in its subject or
/// its start. A refused record claims neither its boot and sequence nor its interaction.
struct RecordSelection {
    /// A record with the numbers that stand for its names; a negative number stands for a name that the store does not
    /// have.
    struct Candidate {
        var key: InteractionStore.RowKey
        package var subject: Int64
        var record: InteractionRecord
    }

    /// The stored state of an interaction.
    struct StoredRow: Equatable {
        var subject: Int64
        var boot: Int64
        var sequence: Int64
        /// All other contents of the record, as columns.
        var content: [Int64?]
    }

    /// The id of an interaction: its origin, and its number among the origin's interactions.
    struct InteractionID: Hashable {
        var origin: Int64
        var number: Int64
    }

    /// Values that all records of one interaction share.
    struct Identity: Hashable {
        package var subject: Int64
        /// Start of the interaction, in seconds since 1970.
        var started: Int64
    }

    private(set) var rows: [Candidate] = []
    /// Rows whose interaction is not in the store yet.
    private var new: Set<InteractionStore.RowKey> = []
    /// Records that are newer than the stored state.
    private(set) var stored = 0
    /// Records that change nothing: the store has the same record, or a later one of the same interaction.
    private(set) var known = 0
    private(set) var refused: [InteractionStore.Refusal: Int] = [:]
    /// Whether a record was refused as changed although its subject or place had no number in the store. Another process
    /// may have stored the name after it was looked up, and an interaction with it before that was: the names have to be
    /// looked up again.
    private(set) var mayHaveOldNames = false
    /// The memory including the records of this batch.
    private(set) var memory: PositionMemory

    /// Selects the records to store.
    ///
    /// - Parameters:
    ///   - candidates: in the order of their arrival.
    ///   - existing: rows with the keys of the candidates.
    ///   - identities: identities of the candidates' interactions in rows with other keys; there may be several from an
    ///     earlier version.
    ///   - memory: records received before, for the blocks of the candidates.
    init(
        _ candidates: [Candidate], existing: [InteractionStore.RowKey: StoredRow] = [:],
        identities: [InteractionID: Set<Identity>] = [:], memory: PositionMemory = PositionMemory()
    ) {
        self.memory = memory
        var begun: [InteractionID: Identity] = [:]
        var latest: [InteractionStore.RowKey: Int] = [:]
        for (index, candidate) in candidates.enumerated() {
            let (key, record) = (candidate.key, candidate.record)
            let id = InteractionID(origin: key.origin, number: key.number)
            let identity = Identity(subject: candidate.subject, started: key.started)
            let row = existing[key]
            let isChanged =
                if let row {
                    row.subject != candidate.subject
                } else if let identities = identities[id] {
                    !identities.contains(identity)
                } else if let first = begun[id] {
                    first != identity
                } else {
                    false
                }
            if isChanged {
                refused[.changed, default: 0] += 1
                mayHaveOldNames = mayHaveOldNames || candidate.subject < 0 || key.place < 0
                continue
            }
            let entry = record.entry
            if let isSame = self.memory.isSame(entry) {
                count(isSame)
                continue
            }
            let (one, other) = ((row?.boot ?? .min, row?.sequence ?? .min), candidate.position)
            // A row of an earlier version, which remembered nothing else.
            if let row, one == other, row.content != record.content {
                count(false)
                continue
            }
            begun[id] = begun[id] ?? identity
            self.memory.remember(entry)
            if one >= other {
                known += 1
                continue
            }
            stored += 1
            if let other = latest[key], candidates[other].position > candidate.position { continue }
            latest[key] = index
        }
        // The same order everywhere, so that two processes do not deadlock.
        rows = latest.sorted { $0.key < $1.key }.map { candidates[$0.value] }
        new = Set(latest.keys.filter { existing[$0] == nil })
    }

    /// Whether a row's interaction is not in the store yet.
    func isNew(_ row: Candidate) -> Bool { new.contains(row.key) }

    private mutating func count(_ isTheSame: Bool) {
        if isTheSame { known += 1 } else { refused[.contradicting, default: 0] += 1 }
    }
}

extension RecordSelection.Candidate {
    fileprivate var position: (Int64, Int64) {
        (Int64(bitPattern: record.position.boot), Int64(bitPattern: record.position.sequence))
    }
}
