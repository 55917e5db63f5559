/// A way from packets to a distance.
///
/// To add one, conform to this and name it in `DistanceEvaluation.own`. For each group an estimator is copied fresh,
/// fitted on the windows of all other groups of the data set, and then asked about the windows of that group.
protocol DistanceEstimator: Sendable {
    /// As in the names of figures: lower case and underscores. Those that begin with `ours` are compared with the
    /// best of the others.
    var name: String { get }
    /// Learns from windows with truth; who learns nothing leaves it out. It isn't called with nothing.
    mutating func fit(_ training: [DistanceWindow])
    /// What it holds of the distance of `window`, whose truth is blanked.
    func posterior(_ window: DistanceWindow) -> any Posterior
    /// The higher, the nearer; `nil` of who ranks by probability. Among the windows of one group it must be the same order
    /// as by the posterior.
    func rank(_ window: DistanceWindow) -> Double?
}

extension DistanceEstimator {
    mutating func fit(_ training: [DistanceWindow]) {}
    func rank(_ window: DistanceWindow) -> Double? { nil }
}
