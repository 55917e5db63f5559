/// How a rollout ended for a gateway.
package enum RolloutEnding: Equatable, Sendable {
    /// The gateway works with the configuration, and keeps it.
    case accepted
    /// The gateway already had the configuration.
    case unchanged
    /// The gateway went back to the configuration before.
    case returned(reason: String)
    /// The gateway did not try the configuration.
    case refused(reason: String)
    /// The gateway tried the configuration and was not heard any more. It returns by itself.
    case silent
    /// The gateway was never asked, or never answered.
    case notReached(reason: String)

    package enum Kind: String, CaseIterable, Sendable {
        case accepted, unchanged, returned, refused, silent
        case notReached = "not-reached"
    }

    package var kind: Kind {
        switch self {
        case .accepted: .accepted
        case .unchanged: .unchanged
        case .returned: .returned
        case .refused: .refused
        case .silent: .silent
        case .notReached: .notReached
        }
    }

    /// Whether it counts among the failures that stop a rollout. A gateway that is switched off says nothing about the
    /// configuration.
    package var isFailure: Bool {
        switch self {
        case .returned, .refused, .silent: true
        case .accepted, .unchanged, .notReached: false
        }
    }

    package var reason: String? {
        switch self {
        case .returned(let reason), .refused(let reason), .notReached(let reason): reason
        case .silent: "it was not heard after it began to try the configuration; it returns by itself"
        case .accepted, .unchanged: nil
        }
    }
}
