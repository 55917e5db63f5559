import InteractionStore
package import Matching

extension ExposureSearch {
    /// Returns the exposures that by themselves put their subjects at a risk.
    package func told(_ exposures: [Exposure]) -> [Exposure] {
        let risky = Dictionary(grouping: exposures, by: \.subject).mapValues {
            policy.risk.told($0, days: policy.days)
        }
        return risky.keys.sorted().flatMap { risky[$0] ?? [] }
    }

    /// Returns the risk of each subject by this report alone, at the end of its last exposure.
    package func risks(_ exposures: [Exposure]) -> [Int64: Risk<Exposure>] {
        Dictionary(grouping: exposures, by: \.subject).mapValues { exposures in
            Risk(exposures, policy: policy, now: exposures.map(\.end).max() ?? 0)
        }
    }
}
