package import BeaconModel
package import GatewayCore
import Glibc
import Proximity
import RecordContract
import SystemIO

/// The files of the persisted presence: a snapshot that is replaced now and then, and a journal. Beginnings and ends
/// are appended to the journal before or after their records are published, and the subjects heard every few seconds.
/// So no interaction published as begun begins twice or is forgotten.
///
/// Both files are readable by their owner only, because they contain the identifiers of phones.
package struct PresenceFiles: Sendable {
    package var directory: String

    /// Maximum size of the journal. A longer one is damaged: files are replaced once a minute.
    private static let longestJournal = 64 << 20
    private static let longest = 256 << 20

    private var statePath: String { directory + "/presence.json" }
    private var journalPath: String { directory + "/presence.journal" }

    /// A line of the journal.
    private struct Line: Codable {
        var boot: UInt64
        var note: TrackerNote
        /// Name of the remote receiver that the entry belongs to; `nil`: the gateway itself.
        var ear: String?
    }

    /// - Returns: the persisted presence; `nil` where there is none.
    /// - Throws: `SystemError`, or `DamagedPresence`.
    package func read() throws -> PersistedPresence? {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(statePath, limit: Self.longest)
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
        guard var kept = try? JSON.decode(PersistedPresence.self, from: bytes), kept.tracker.isPlausible,
            kept.ears?.values.allSatisfy(\.isPlausible) ?? true
        else {
            throw DamagedPresence(path: statePath)
        }
        let journal = (try? FileContents.read(journalPath, limit: Self.longestJournal)) ?? []
        let lines = journal.split(separator: UInt8(ascii: "\n")).compactMap { line -> Line? in
            // The last line may have been cut off when the process ended.
            guard let line = try? JSON.decode(Line.self, from: Array(line)), line.boot == kept.boot else { return nil }
            return line
        }
        for (receiver, lines) in Dictionary(grouping: lines, by: \.ear) {
            let notes = lines.lazy.map(\.note)
            if let receiver { kept.ears?[receiver]?.apply(notes) } else { kept.tracker.apply(notes) }
        }
        return kept
    }

    /// Renames a damaged snapshot, so that an operator can examine it.
    func putAside() throws(SystemError) {
        try FileContents.rename(statePath, to: statePath + ".damaged")
    }

    package func write(_ kept: PersistedPresence) throws(SystemError) {
        let bytes = JSON.encode(kept)
        // A failed encoding would replace the known presence with nothing.
        guard bytes.count > 2 else {
            throw SystemError("encode the presence state for \(statePath)", errorNumber: EINVAL)
        }
        try FileContents.replace(statePath, with: bytes, isPrivate: true)
        // The journal is now contained in the snapshot. If this step is interrupted, the journal is applied once more,
        // which changes nothing.
        try FileContents.truncate(journalPath)
    }

    /// Appends changes to the journal.
    package func note(_ notes: [PresenceNote], boot: UInt64) throws(SystemError) {
        guard !notes.isEmpty else { return }
        let lines = notes.flatMap { JSON.encode(Line(boot: boot, note: $0.note, ear: $0.ear)) + [UInt8(ascii: "\n")] }
        try FileContents.append(lines, to: journalPath, limit: Self.longestJournal, isDurable: false, isPrivate: true)
    }
}

/// The persisted presence is damaged.
struct DamagedPresence: OperatorError {
    var path: String

    var what: String { "\(path) is damaged" }
    var meaning: String? { "the last presence state is lost: interactions of the previous run remain without an end" }
    var remedy: String? { "none needed: the file is kept as \(path).damaged, and the gateway continues without it" }
    var exitStatus: ExitStatus { .data }
}
