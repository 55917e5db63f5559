package import BeaconModel
package import GatewayCore
import Glibc
import Proximity
import RecordContract
import SystemIO

/// Where it is kept: a file that is replaced now and then, and one to which each beginning and end is added before it is
/// published, and every few seconds who was heard. So none that was published as begun begins twice, or is forgotten.
///
/// Both are readable by their owner only, because phones have their identifiers there.
package struct PresenceFiles: Sendable {
    package var directory: String

    /// A journal that grew longer than this is damaged: files are replaced once a minute.
    private static let longestJournal = 64 << 20
    private static let longest = 256 << 20

    private var statePath: String { directory + "/presence.json" }
    private var journalPath: String { directory + "/presence.journal" }

    /// A line of the journal.
    private struct Line: Codable {
        var boot: UInt64
        var note: TrackerNote
        /// The name of the remote ear whose it is.
        var ear: String?
    }

    /// - Returns: `nil` where nothing was kept.
    /// - Throws: `SystemError`, or `DamagedPresence`.
    package func read() throws -> KeptPresence? {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(statePath, limit: Self.longest)
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
        guard var kept = try? JSON.decode(KeptPresence.self, from: bytes), kept.tracker.isPlausible,
            kept.ears?.values.allSatisfy(\.isPlausible) ?? true
        else {
            throw DamagedPresence(path: statePath)
        }
        let journal = (try? FileContents.read(journalPath, limit: Self.longestJournal)) ?? []
        let lines = journal.split(separator: UInt8(ascii: "\n")).compactMap { line -> Line? in
            // The last one may have been cut off with the process.
            guard let line = try? JSON.decode(Line.self, from: Array(line)), line.boot == kept.boot else { return nil }
            return line
        }
        for (ear, lines) in Dictionary(grouping: lines, by: \.ear) {
            let notes = lines.lazy.map(\.note)
            if let ear { kept.ears?[ear]?.apply(notes) } else { kept.tracker.apply(notes) }
        }
        return kept
    }

    /// Puts what can't be read aside, for a person to look at.
    func putAside() throws(SystemError) {
        try FileContents.rename(statePath, to: statePath + ".damaged")
    }

    package func write(_ kept: KeptPresence) throws(SystemError) {
        let bytes = JSON.encode(kept)
        // What can't be encoded would put nothing in the place of what is known.
        guard bytes.count > 2 else { throw SystemError("encode who is here for \(statePath)", errorNumber: EINVAL) }
        try FileContents.replace(statePath, with: bytes, isPrivate: true)
        // What it says is in the state now; if this is interrupted, it is applied once more, which changes nothing.
        try FileContents.truncate(journalPath)
    }

    /// Takes note of what has changed, before it is published.
    package func note(_ notes: [PresenceNote], boot: UInt64) throws(SystemError) {
        guard !notes.isEmpty else { return }
        let lines = notes.flatMap { JSON.encode(Line(boot: boot, note: $0.note, ear: $0.ear)) + [UInt8(ascii: "\n")] }
        try FileContents.append(lines, to: journalPath, limit: Self.longestJournal, isDurable: false, isPrivate: true)
    }
}

/// What was kept can't be read.
struct DamagedPresence: OperatorError {
    var path: String

    var what: String { "\(path) is damaged" }
    var meaning: String? { "it isn't known who was here: interactions of the run before stay without an end" }
    var remedy: String? { "nothing: it is put aside as \(path).damaged, and the gateway goes on without it" }
    var exitStatus: ExitStatus { .data }
}
