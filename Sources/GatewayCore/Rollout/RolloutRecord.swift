package import BeaconModel
import OperatorText
package import RecordContract

/// What a gateway remembers of its configuration over restarts.
package struct RolloutRecord: Equatable, Sendable {
    /// Maximum length of the file in bytes.
    package static let longest = 65_536

    package var phase: RolloutPhase
    /// Time since which the phase holds.
    package var since: Timestamp

    package init(phase: RolloutPhase, since: Timestamp) {
        self.phase = phase
        self.since = since
    }

    /// The contents of the file.
    package var encoded: [UInt8] { JSON.encode(File(self)) + [UInt8(ascii: "\n")] }

    /// Reads the contents of the file; `nil` if they are damaged.
    package init?(_ contents: [UInt8]) {
        guard contents.count <= Self.longest, let file = try? JSON.decode(File.self, from: contents),
            file.format == File.current, let since = RFC3339Text.parse(file.since), let phase = file.phase
        else { return nil }
        self.init(phase: phase, since: since)
    }

    /// Returns the record after the configuration in use has proved unusable.
    ///
    /// A trial ends. A configuration that was accepted is left for the gateway's own file.
    package func abandoned(because reason: String, at now: Timestamp) -> RolloutRecord {
        let (target, from): (RolloutVersion?, RolloutVersion)
        switch phase {
        case .local, .returned(nil, _, _): return self
        case .trial(let trial): (target, from) = (trial.previous, trial.candidate)
        case .accepted(let version), .returned(let version?, _, _): (target, from) = (nil, version)
        }
        return RolloutRecord(phase: .returned(to: target, from: from, reason: reason), since: now)
    }

    /// The names of documents that the record needs.
    package var documents: Set<ConfigurationDigest> {
        Set([phase.inUse, phase.settled].compactMap { $0?.digest })
    }

    /// The file, with names that a person understands.
    private struct File: Codable {
        static let current = 1

        var format = Self.current
        var state: RolloutState.State
        var since: String
        /// The configuration in use, or before a trial.
        var settled: RolloutVersion?
        var trial: Trial?
        var returnedFrom: RolloutVersion?
        var reason: String?

        struct Trial: Codable {
            var candidate: RolloutVersion
            var seconds: Int
            var starts: Int
            var startedAt: String?
        }

        init(_ record: RolloutRecord) {
            since = record.since.rfc3339
            settled = record.phase.settled
            switch record.phase {
            case .local: state = .local
            case .accepted: state = .accepted
            case .trial(let trial):
                state = .trial
                self.trial = Trial(
                    candidate: trial.candidate, seconds: trial.seconds, starts: trial.starts,
                    startedAt: trial.startedAt?.rfc3339)
            case .returned(_, let from, let reason):
                state = .returned
                returnedFrom = from
                self.reason = reason
            }
        }

        var phase: RolloutPhase? {
            switch (state, settled, trial, returnedFrom) {
            case (.local, nil, nil, nil): return .local
            case (.accepted, let version?, nil, nil): return .accepted(version)
            case (.returned, let version, nil, let from?):
                return .returned(to: version, from: from, reason: reason ?? "")
            case (.trial, let previous, let trial?, nil):
                let startedAt = trial.startedAt.flatMap { RFC3339Text.parse($0) }
                guard ConfigureMessage.trials.contains(trial.seconds), trial.starts >= 0,
                    (trial.startedAt == nil) == (startedAt == nil)
                else { return nil }
                return .trial(
                    RolloutTrial(
                        candidate: trial.candidate, previous: previous, seconds: trial.seconds, starts: trial.starts,
                        startedAt: startedAt))
            default: return nil
            }
        }
    }
}
