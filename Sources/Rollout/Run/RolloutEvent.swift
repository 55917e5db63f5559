/// What happens in a rollout, for the person who watches.
package enum RolloutEvent: Equatable, Sendable {
    case stageBegan(number: Int, of: Int, RolloutStage, gateways: Int)
    /// The configuration was sent.
    case sent(GatewayPath, attempt: Int)
    /// The gateway tries the configuration.
    case tries(GatewayPath)
    /// The gateway works with the configuration, and was told to keep it.
    case works(GatewayPath)
    /// The gateway was heard in its trial, and something does not work.
    case troubled(GatewayPath, problem: String)
    case ended(GatewayPath, RolloutEnding)
    case stopped(RolloutStop)
}

/// Why a rollout does not go on.
package enum RolloutStop: Equatable, Sendable {
    case failures(Int, RolloutStage)
    /// No gateway of a stage took the configuration, so nothing is known of it.
    case nobodyReached(RolloutStage)
    case interrupted
}

/// How a rollout ended.
package struct RolloutConclusion: Equatable, Sendable {
    package var endings: [GatewayPath: RolloutEnding]
    /// Gateways that were trying the configuration when the rollout was interrupted. They return by themselves.
    package var abandoned: [GatewayPath]
    /// Gateways that were not asked.
    package var untouched: [GatewayPath]
    package var stop: RolloutStop?

    package init(
        endings: [GatewayPath: RolloutEnding], abandoned: [GatewayPath], untouched: [GatewayPath],
        stop: RolloutStop? = nil
    ) {
        self.endings = endings
        self.abandoned = abandoned
        self.untouched = untouched
        self.stop = stop
    }

    /// Number of gateways that took part.
    package var all: Int { endings.count + abandoned.count + untouched.count }

    package func count(_ kind: RolloutEnding.Kind) -> Int { endings.values.count { $0.kind == kind } }
    package var failures: Int { endings.values.count(where: \.isFailure) }
}
