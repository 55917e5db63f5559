/// An interval in which a subject did not move, as far as receivers hear, with what they heard in it.
package struct HeardStay: Equatable, Sendable {
    /// Start of its first window in seconds.
    package var start: Double
    /// End of its last window in seconds.
    package var end: Double
    /// Mean of what each receiver heard, in the order of receivers.
    package var signals: [HeardSignal]
    /// Receivers that listened, and heard the subject never or next to never.
    package var silent: [Int]

    package init(start: Double, end: Double, signals: [HeardSignal], silent: [Int]) {
        self.start = start
        self.end = end
        self.signals = signals
        self.silent = silent
    }
}
