package import BeaconModel
package import RecordContract

/// What a running gateway does about its configuration: it tries what an operator sends, keeps what is confirmed, and
/// returns otherwise. Pure.
package struct RolloutMachine: Sendable {
    package private(set) var record: RolloutRecord
    /// The record before what is being written.
    private var before: RolloutRecord?
    /// Whether the gateway ends, to start again with another configuration.
    package private(set) var isRestarting = false

    package enum Input: Equatable, Sendable {
        /// A configuration in which no fault was found.
        case configure(RolloutDocument, seconds: Int)
        case confirm(ConfigurationDigest)
        /// The trial has ended without a confirmation.
        case timeIsUp
        /// The program cannot run with the candidate.
        case failed(String)
        /// The last output could not be written; those after it were not carried out.
        case notWritten(String)
    }

    package enum Output: Equatable, Sendable {
        /// Replaces a file of `RolloutFiles`. The next output waits until it is on disk.
        case write(String, [UInt8])
        /// Answers the command.
        case answer(CommandOutcome)
        /// Starts the program again, after the answer.
        case restart
        /// Notes what has happened in the audit log.
        case note(action: String, RolloutVersion, result: String)
    }

    package init(record: RolloutRecord) { self.record = record }

    package mutating func handle(_ input: Input, at now: Timestamp) -> [Output] {
        switch input {
        case .configure(let document, let seconds): configure(document, seconds, now)
        case .confirm(let digest): confirm(digest, now)
        case .timeIsUp:
            if case .trial(let trial) = record.phase, !isRestarting {
                leave(trial, because: Self.unconfirmed(trial), now)
            } else {
                []
            }
        case .failed(let reason):
            if case .trial(let trial) = record.phase { leave(trial, because: reason, now) } else { [] }
        case .notWritten(let reason): undo(reason)
        }
    }

    static func unconfirmed(_ trial: RolloutTrial) -> String {
        "it was not confirmed within \(trial.seconds) s"
    }

    private mutating func configure(_ document: RolloutDocument, _ seconds: Int, _ now: Timestamp) -> [Output] {
        let version = document.version
        if isRestarting { return [.answer(.stopping)] }
        if case .trial(let trial) = record.phase {
            guard trial.candidate.digest != version.digest else {
                return [.answer(CommandOutcome(ok: true, text: "on trial already\(Self.until(trial))"))]
            }
            return [
                .answer(
                    CommandOutcome(
                        ok: false,
                        text: "\(trial.candidate.short) is on trial\(Self.until(trial)); confirm it, or wait"))
            ]
        }
        if record.phase.inUse?.digest == version.digest {
            let done = Output.answer(CommandOutcome(ok: true, text: "unchanged: \(version.short) is in use"))
            if record.phase == .accepted(version) { return [done] }
            return begin(
                RolloutRecord(phase: .accepted(version), since: now),
                [.write(RolloutFiles.accepted, JSON.encode(version))], then: [done])
        }
        let trial = RolloutTrial(candidate: version, previous: record.phase.settled, seconds: seconds)
        let answer = CommandOutcome(
            ok: true, text: "starting again with \(version.short); it returns in \(seconds) s unless it is confirmed")
        return begin(
            RolloutRecord(phase: .trial(trial), since: now),
            [.write(RolloutFiles.document(version.digest), Array(document.text.utf8))],
            then: [.note(action: "configuration-trial", version, result: answer.text), .answer(answer), .restart])
    }

    private mutating func confirm(_ digest: ConfigurationDigest, _ now: Timestamp) -> [Output] {
        switch record.phase {
        case .trial(let trial) where trial.candidate.digest == digest && !isRestarting:
            // Between the order and the start nothing is known of the candidate.
            guard trial.starts > 0 else { return [.answer(.stopping)] }
            let version = trial.candidate
            let text = "accepted: \(version.short)"
            return begin(
                RolloutRecord(phase: .accepted(version), since: now),
                [.write(RolloutFiles.accepted, JSON.encode(version))],
                then: [
                    .note(action: "configuration-accepted", version, result: text),
                    .answer(CommandOutcome(ok: true, text: text)),
                ])
        case .accepted(let version) where version.digest == digest:
            return [.answer(CommandOutcome(ok: true, text: "accepted already: \(version.short)"))]
        case .returned(_, let from, let reason) where from.digest == digest:
            return [
                .answer(CommandOutcome(ok: false, text: "the gateway has returned from \(from.short): \(reason)"))
            ]
        default:
            return [
                .answer(
                    CommandOutcome(
                        ok: false, text: "no configuration \(digest.short) is on trial; in use: \(record.phase.text)"))
            ]
        }
    }

    private mutating func leave(_ trial: RolloutTrial, because reason: String, _ now: Timestamp) -> [Output] {
        before = nil
        record = record.abandoned(because: reason, at: now)
        isRestarting = true
        // The next start comes to the same decision if this one cannot be written: so nothing depends on it.
        return [
            .write(RolloutFiles.record, record.encoded),
            .note(action: "configuration-returned", trial.candidate, result: reason), .restart,
        ]
    }

    private mutating func begin(_ next: RolloutRecord, _ writes: [Output], then outputs: [Output]) -> [Output] {
        before = record
        record = next
        isRestarting = outputs.contains(.restart)
        return writes + [.write(RolloutFiles.record, next.encoded)] + outputs
    }

    private mutating func undo(_ reason: String) -> [Output] {
        guard let before else { return [.restart] }
        record = before
        isRestarting = false
        self.before = nil
        return [
            .answer(
                CommandOutcome(ok: false, text: "the configuration cannot be kept, nothing was changed: \(reason)"))
        ]
    }

    private static func until(_ trial: RolloutTrial) -> String {
        trial.endsAt.map { " until \($0.rfc3339)" } ?? ""
    }
}
