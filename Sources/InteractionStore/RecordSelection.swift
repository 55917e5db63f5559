import Matching
import RecordContract

/// Decides which records of a batch are stored, given what the store has of their interactions. Pure: the same records give
/// the same rows, in one batch or in several.
///
/// Decides which records of a batch are stored.
///
/// Of two records that contradict each other the first counts. Records contradict each other if they have the same gateway, boot
/// and sequence and different contents, or if they are of one interaction and differ in its subject or its start. A refused
/// record claims neither its boot and sequence nor its interaction.
struct RecordSelection {
    /// A record, and the numbers that stand for its names; one below 0 for a name that the store doesn't have.
    struct Candidate {
        var key: InteractionStore.RowKey
        var subject: Int64
        var record: InteractionRecord
    }

    /// What the store has of an interaction.
    struct StoredRow: Equatable {
        var subject: Int64
        var boot: Int64
        var sequence: Int64
        /// Everything else that a record says, as columns.
        var content: [Int64?]
    }

    /// An interaction by its id: who counts it, and which of theirs it is.
    struct InteractionID: Hashable {
        var origin: Int64
        var number: Int64
    }

    /// What the records of one interaction have in common.
    struct Identity: Hashable {
        var subject: Int64
        /// Seconds since 1970.
        var started: Int64
    }

    private(set) var rows: [Candidate] = []
    /// Of the rows those of which the store has nothing yet.
    private var new: Set<InteractionStore.RowKey> = []
    /// Records that are newer than what the store has.
    private(set) var stored = 0
    /// Records that change nothing: the store has the same, or a later one of the same interaction.
    private(set) var known = 0
    private(set) var refused: [InteractionStore.Refusal: Int] = [:]
    /// The memory with the records of this batch.
    private(set) var memory: PositionMemory

    /// - Parameters:
    ///   - candidates: in the order in which they came.
    ///   - existing: rows with the keys of the candidates.
    ///   - identities: of the candidates' interactions, by rows with other keys; of an earlier version there may be several.
    ///   - memory: which records were taken before, of the blocks of the candidates.
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
                continue
            }
            let entry = record.entry
            if let isSame = self.memory.isSame(entry) {
                count(isSame)
                continue
            }
            let (one, other) = ((row?.boot ?? .min, row?.sequence ?? .min), candidate.position)
            // Of an earlier version, which remembered nothing else.
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
        // In one order everywhere, so that two processes don't wait for each other.
        rows = latest.sorted { $0.key < $1.key }.map { candidates[$0.value] }
        new = Set(latest.keys.filter { existing[$0] == nil })
    }

    /// Whether the store has nothing yet of a row's interaction.
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

extension InteractionRecord {
    /// The columns from `ended` on, without the position, in the order of `StoreSchema.contentColumns`.
    var content: [Int64?] {
        [
            end, state.rawValue, samples, rssi, distance?.centimetres, distance?.lower, distance?.upper, within3m,
            within6m, seconds3m, seconds6m, clockIsSynchronized ? 1 : 0,
        ]
    }
}
