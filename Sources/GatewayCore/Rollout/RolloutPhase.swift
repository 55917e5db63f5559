package import BeaconModel

/// Which configuration a gateway uses, and how that came about.
package enum RolloutPhase: Equatable, Sendable {
    /// The gateway's own file.
    case local
    case trial(RolloutTrial)
    /// A configuration that was confirmed.
    case accepted(RolloutVersion)
    /// The configuration before a trial: `nil` is the gateway's own file.
    case returned(to: RolloutVersion?, from: RolloutVersion, reason: String)

    /// The configuration in use; `nil`: the gateway's own file.
    package var inUse: RolloutVersion? {
        switch self {
        case .local: nil
        case .trial(let trial): trial.candidate
        case .accepted(let version): version
        case .returned(let version, _, _): version
        }
    }

    /// The configuration to which a trial returns; `nil`: the gateway's own file.
    package var settled: RolloutVersion? {
        if case .trial(let trial) = self { trial.previous } else { inUse }
    }

    /// The phase in a few words, for people.
    package var text: String {
        switch self {
        case .local: "own file"
        case .trial(let trial): "trial of \(trial.candidate.short)"
        case .accepted(let version): version.short
        case .returned(let version, let from, _): "\(version?.short ?? "own file"), returned from \(from.short)"
        }
    }
}

/// A configuration that is tried.
package struct RolloutTrial: Equatable, Sendable {
    /// Maximum number of starts with a candidate. A second one can follow a power cut that has nothing to do with it.
    package static let mostStarts = 2

    package var candidate: RolloutVersion
    /// The configuration to return to; `nil`: the gateway's own file.
    package var previous: RolloutVersion?
    /// Duration of the trial from the first start.
    package var seconds: Int
    /// Starts with the candidate so far.
    package var starts = 0
    /// Time of the first start.
    package var startedAt: Timestamp?

    package init(
        candidate: RolloutVersion, previous: RolloutVersion?, seconds: Int, starts: Int = 0,
        startedAt: Timestamp? = nil
    ) {
        self.candidate = candidate
        self.previous = previous
        self.seconds = seconds
        self.starts = starts
        self.startedAt = startedAt
    }

    /// End of the trial by the time of day.
    package var endsAt: Timestamp? { startedAt.map { $0 + .seconds(seconds) } }

    /// Returns the time that is left, at most the whole trial: the clock may have been set.
    package func left(at now: Timestamp) -> Duration {
        guard let endsAt else { return .seconds(seconds) }
        return max(.zero, min(.seconds(seconds), endsAt - now))
    }
}
