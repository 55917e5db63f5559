/// Where a subject was at one time, by what was heard before and after it.
package struct SettledEstimate: Equatable, Sendable {
    /// End of the window in seconds.
    package var time: Double
    package var estimate: Estimate

    package init(time: Double, estimate: Estimate) {
        self.time = time
        self.estimate = estimate
    }
}
