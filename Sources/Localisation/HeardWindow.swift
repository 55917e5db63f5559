/// What all receivers of a building heard of one subject in one window of time.
package struct HeardWindow: Equatable, Sendable {
    /// End of the window in seconds, from any origin.
    package var end: Double
    /// Length of the window in seconds.
    package var length: Double
    /// Receptions. Values that are not finite, and unknown receivers, are ignored.
    package var signals: [HeardSignal]
    /// Indices of the receivers that listened and did not hear the subject.
    package var silent: [Int]

    package init(end: Double, length: Double = 1, signals: [HeardSignal], silent: [Int] = []) {
        self.end = end
        self.length = length
        self.signals = signals
        self.silent = silent
    }
}
