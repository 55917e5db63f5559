package import BeaconModel
import OperatorText
package import RecordContract
package import Watching

extension RolloutRecord {
    /// Maximum length of a reason in Unicode scalars.
    package static let longestReason = 1000

    /// Returns what is published of the record.
    ///
    /// - Parameters:
    ///   - own: the gateway's own file.
    ///   - obeys: whether the gateway can be configured from afar.
    package func state(
        at time: Timestamp, boot: UInt64, own: ConfigurationDigest, obeys: Bool, liveness: Liveness
    ) -> RolloutState {
        var state = RolloutState(
            time: time, boot: boot, version: ProductVersion.number, state: .local,
            revision: phase.inUse?.revision, digest: phase.inUse?.digest ?? own, since: since, obeys: obeys,
            works: liveness.isLive, problem: liveness.isLive ? nil : liveness.statusLine)
        switch phase {
        case .local: break
        case .accepted: state.state = .accepted
        case .trial(let trial):
            state.state = .trial
            state.until = trial.endsAt?.rfc3339
        case .returned(_, let from, let reason):
            state.state = .returned
            state.returned = .init(revision: from.revision, digest: from.digest)
            state.reason = reason.shown(upTo: Self.longestReason)
        }
        return state
    }
}
