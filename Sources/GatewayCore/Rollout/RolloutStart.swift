package import BeaconModel
import OperatorText
import RecordContract

/// Which configuration a gateway starts with. Decided before it is read.
package struct RolloutStart: Equatable, Sendable {
    package var record: RolloutRecord
    /// Whether the record is to be written before anything else: it counts a start, or ends a trial.
    package var isChanged: Bool
    /// Damage of the files, for the log; `nil` if there is none.
    package var problem: String?

    /// - Parameters:
    ///   - isAllowed: whether the gateway's own file allows to be configured from afar.
    ///   - read: returns the contents of a file of `RolloutFiles`; `nil` if there is none, or it cannot be read.
    package init(isAllowed: Bool, at now: Timestamp, read: (String) -> [UInt8]?) {
        let own = RolloutRecord(phase: .local, since: now)
        guard let contents = read(RolloutFiles.record) else {
            self.init(own)
            return
        }
        guard let found = RolloutRecord(contents) else {
            let problem = "the record of the configuration, \(RolloutFiles.record), is damaged"
            guard isAllowed, let version = Self.accepted(read), Self.isIntact(version, read) else {
                self.init(own, isChanged: !isAllowed, problem: problem + "; using the gateway's own file")
                return
            }
            self.init(
                RolloutRecord(phase: .accepted(version), since: now),
                problem: problem + "; using the last accepted \(version.short)")
            return
        }
        guard isAllowed else {
            self.init(found.phase == .local ? found : own, isChanged: found.phase != .local)
            return
        }
        var record = Self.begun(found, at: now)
        var problem: String?
        // A trial can lead to the configuration before it, and that one to the gateway's own file.
        while let version = record.phase.inUse, !Self.isIntact(version, read) {
            let reason = "the file of \(version.short) is missing or damaged"
            problem = [problem, reason].compactMap(\.self).joined(separator: "; ")
            record = record.abandoned(because: reason, at: now)
        }
        self.init(record, isChanged: record != found && Self.isTrial(found), problem: problem)
    }

    /// Returns what follows when the configuration in use cannot be used.
    ///
    /// A candidate on trial is left for good. An accepted configuration may only lack a file for a while, so the record
    /// stays as it is, and the next start tries again.
    ///
    /// - Returns: `nil` if the gateway's own file is in use, which nothing can replace.
    package static func leaving(
        _ record: RolloutRecord, because reason: String, at now: Timestamp
    ) -> RolloutStart? {
        guard record.phase.inUse != nil else { return nil }
        return RolloutStart(
            record.abandoned(because: reason.shown(upTo: RolloutRecord.longestReason), at: now),
            isChanged: isTrial(record))
    }

    private init(_ record: RolloutRecord, isChanged: Bool = false, problem: String? = nil) {
        self.record = record
        self.isChanged = isChanged
        self.problem = problem
    }

    private static func isTrial(_ record: RolloutRecord) -> Bool {
        if case .trial = record.phase { true } else { false }
    }

    /// Returns the record with one more start counted, or after the end of the trial.
    private static func begun(_ record: RolloutRecord, at now: Timestamp) -> RolloutRecord {
        guard case .trial(var trial) = record.phase else { return record }
        if trial.startedAt != nil, trial.left(at: now) == .zero {
            return record.abandoned(because: RolloutMachine.unconfirmed(trial), at: now)
        }
        guard trial.starts < RolloutTrial.mostStarts else {
            return record.abandoned(
                because: "the program ended \(trial.starts) times during the trial", at: now)
        }
        trial.starts += 1
        trial.startedAt = trial.startedAt ?? now
        return RolloutRecord(phase: .trial(trial), since: record.since)
    }

    private static func accepted(_ read: (String) -> [UInt8]?) -> RolloutVersion? {
        read(RolloutFiles.accepted).flatMap { try? JSON.decode(RolloutVersion.self, from: $0) }
    }

    private static func isIntact(_ version: RolloutVersion, _ read: (String) -> [UInt8]?) -> Bool {
        read(RolloutFiles.document(version.digest)).map { ConfigurationDigest(of: $0) == version.digest } ?? false
    }
}
