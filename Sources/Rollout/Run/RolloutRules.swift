/// How a rollout proceeds.
package struct RolloutRules: Equatable, Sendable {
    package var stages: [RolloutStage]
    /// The gateway that goes first, if it takes part.
    package var first: GatewayPath?
    /// Maximum number of gateways between `configure` and the end of their trial.
    package var atOnce: Int
    package var trial: Duration
    /// Number of failures in a stage up to which the rollout continues.
    package var mostFailures: Int

    /// Time after which an unanswered `configure` is sent again: a gateway checks everything before it answers.
    package var replyWithin: Duration = .seconds(20)
    /// Time after which `confirm` is sent again, and a command that a gateway could not obey yet.
    package var retryAfter: Duration = .seconds(7)
    /// Number of times that `configure` is sent.
    package var attempts = 3
    /// Time between the first sign of a trial and `confirm`. A gateway does not obey what was signed in the first five
    /// seconds of its run.
    package var settle: Duration = .seconds(6)
    /// Time after the trial in which a gateway may still say how it ended.
    package var slack: Duration = .seconds(90)

    package init(
        stages: [RolloutStage] = RolloutStage.usual, first: GatewayPath? = nil, atOnce: Int = 10,
        trial: Duration = .seconds(300), mostFailures: Int = 0
    ) {
        self.stages = stages
        self.first = first
        self.atOnce = atOnce
        self.trial = trial
        self.mostFailures = mostFailures
    }
}
