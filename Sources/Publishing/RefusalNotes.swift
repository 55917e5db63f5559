/// A limit on how often rejected records are logged: each reason at once, then their number at most once a minute.
/// Pure.
package struct RefusalNotes: Sendable {
    private var notes: [Int32: Note] = [:]

    package init() {
    }

    private struct Note {
        var saidAt: ContinuousClock.Instant
        var unsaid = 0
    }

    package static let interval: Duration = .seconds(60)

    /// Counts a rejected record.
    ///
    /// - Returns: the number of rejected records since the last log message, including this one; `nil` if nothing is to
    ///   be logged now.
    package mutating func add(_ reason: Int32, at now: ContinuousClock.Instant) -> Int? {
        guard let note = notes[reason], now - note.saidAt < Self.interval else {
            let count = (notes[reason]?.unsaid ?? 0) + 1
            notes[reason] = Note(saidAt: now)
            return count
        }
        notes[reason]?.unsaid += 1
        return nil
    }
}
