import MQTTBridge
import Matching

/// Decides which records of a batch are stored, given what the store has of their interactions. Pure: the same records give
/// the same rows, in one batch or in several.
///
/// Of two records that contradict each other the first counts: those with one boot and sequence and different contents, and
/// those of one
/// interaction that differ in whose it is or when it began.
struct RecordSelection {
    /// A record, and the numbers that stand for its names.
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

    /// A subject's interaction, wherever and whenever it was.
    struct Interaction: Hashable {
        var origin: Int64
        var number: Int64
        var subject: Int64
    }

    private(set) var rows: [Candidate] = []
    /// Records that are newer than what the store has.
    private(set) var stored = 0
    /// Records that change nothing: the store has the same, or a later one of the same interaction.
    private(set) var known = 0
    private(set) var refused: [InteractionStore.Refusal: Int] = [:]

    /// - Parameters:
    ///   - candidates: in the order in which they came.
    ///   - existing: rows with the keys of the candidates.
    ///   - starts: when interactions of the candidates began by rows with other keys, in seconds since 1970.
    init(
        _ candidates: [Candidate], existing: [InteractionStore.RowKey: StoredRow], starts: [Interaction: Set<Int64>]
    ) {
        struct Identity: Hashable {
            var key: InteractionStore.RowKey
            var boot: UInt64
            var sequence: UInt64
        }
        var first: [Identity: Int] = [:]
        var subjects: [InteractionStore.RowKey: Int64] = [:]
        var begun: [Interaction: Int64] = [:]
        var latest: [InteractionStore.RowKey: Int] = [:]
        for (index, candidate) in candidates.enumerated() {
            let (key, record) = (candidate.key, candidate.record)
            let interaction = Interaction(origin: key.origin, number: key.number, subject: candidate.subject)
            let row = existing[key]
            let isChanged =
                if let subject = row?.subject ?? subjects[key] {
                    subject != candidate.subject
                } else if let starts = starts[interaction] {
                    !starts.contains(key.started)
                } else if let start = begun[interaction] {
                    start != key.started
                } else {
                    false
                }
            if isChanged {
                refused[.changed, default: 0] += 1
                continue
            }
            subjects[key] = candidate.subject
            begun[interaction] = begun[interaction] ?? key.started
            let identity = Identity(key: key, boot: record.position.boot, sequence: record.position.sequence)
            if let other = first[identity] {
                count(candidates[other].record == record)
                continue
            }
            first[identity] = index
            if let row {
                let (one, other) = ((row.boot, row.sequence), candidate.position)
                if one == other {
                    count(row.content == record.content)
                    continue
                }
                if one > other {
                    known += 1
                    continue
                }
            }
            stored += 1
            if let other = latest[key], candidates[other].position > candidate.position { continue }
            latest[key] = index
        }
        // In one order everywhere, so that two processes don't wait for each other.
        rows = latest.sorted { $0.key < $1.key }.map { candidates[$0.value] }
    }

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
