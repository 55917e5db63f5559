package import BeaconModel

/// The clock by which records in the outbox age. It advances by the time that has certainly passed, whatever happens to
/// the wall clock.
///
/// Between two starts of the machine, that is the time since the start. Across starts only the wall clock can tell, and
/// only if it was synchronized at some moment before and at one after. Until then, each record has its minimum age.
/// Afterwards the clock is corrected, together with the records that arrived meanwhile.
package struct OutboxClock: Equatable, Sendable {
    /// The state that a restart needs.
    package private(set) var state: State
    private var pendingStep: Step?

    package struct State: Equatable, Sendable {
        package var reading: ClockReading
        /// The time of this clock at `reading`, in microseconds.
        package var time: Int64
        /// The latest moment at which the wall clock was synchronized.
        package var reference: Reference?
        /// The first record that arrived while the time since `reference` was unknown; `nil` if that time is known.
        var unanchoredFrom: Int64?
        package var steps: [Step] = []
        /// The first record whose time is given by this clock; earlier records are as old as this clock.
        package var firstID: Int64
        /// The time of this clock when it began.
        package var origin: Int64
    }

    package struct Reference: Equatable, Sendable {
        package var time: Int64
        package var wall: Timestamp
    }

    /// A correction: records from `firstID` on arrived later by `microseconds` than was known.
    package struct Step: Equatable, Sendable {
        package var firstID: Int64
        package var microseconds: Int64
    }

    package static let mostSteps = 32

    /// Creates a clock that continues from an earlier run.
    ///
    /// - Parameters:
    ///   - state: the state of the previous run; `nil`: there was none, or it is unknown.
    ///   - newest: the time of the newest record.
    ///   - nextID: the identifier of the next record.
    package init(_ state: State? = nil, newest: Int64? = nil, now: ClockReading, nextID: Int64 = 1) {
        guard var state else {
            self.state = State(
                reading: now, time: now.wall.microseconds, unanchoredFrom: nextID, firstID: nextID,
                origin: now.wall.microseconds)
            anchor()
            return
        }
        let isSameBoot = !now.bootID.isEmpty && now.bootID == state.reading.bootID
        let passed = isSameBoot ? now.sinceBoot - state.reading.sinceBoot : now.sinceBoot
        state.time = max(state.time, isSameBoot ? .min : newest ?? .min) + max(0, passed)
        state.time = max(state.time, newest ?? .min)
        state.reading = now
        if !isSameBoot { state.unanchoredFrom = state.unanchoredFrom ?? nextID }
        self.state = state
        anchor()
    }

    /// Returns the time of a record of an earlier run, in microseconds of this clock.
    ///
    /// - Parameter state: the state of that run; `nil`: it is unknown, and the record counts as new.
    package static func time(of row: (id: Int64, enteredAt: Int64), _ state: State?, now: ClockReading) -> Int64 {
        guard let state else { return now.wall.microseconds }
        guard row.id >= state.firstID else { return state.origin }
        return row.enteredAt + state.steps.filter { $0.firstID <= row.id }.reduce(0) { $0 + $1.microseconds }
    }

    /// Advances the clock and returns the present time in microseconds, which never goes backwards.
    package mutating func observe(_ now: ClockReading) -> Int64 {
        state.time += max(0, now.sinceBoot - state.reading.sinceBoot)
        state.reading = now
        anchor()
        return state.time
    }

    /// Returns the correction that has become known since the last call.
    package mutating func takeStep() -> Step? {
        defer { pendingStep = nil }
        return pendingStep
    }

    /// The time to store with a record that arrives now; later corrections are added to it. It is always valid for a
    /// row, whatever an earlier state or a row has set this clock to.
    package var stamp: Int64 {
        let stamp = state.time - state.steps.reduce(0) { $0 + $1.microseconds }
        return min(max(stamp, OutboxRow.times.lowerBound), OutboxRow.times.upperBound - 1)
    }

    /// Whether the time since the latest reference is known.
    package var isAnchored: Bool { state.unanchoredFrom == nil }

    /// Returns a time of this clock as wall-clock time, by the present wall clock.
    package func timestamp(_ time: Int64) -> Timestamp {
        Timestamp(microseconds: state.reading.wall.microseconds - (state.time - time))
    }

    private mutating func anchor() {
        guard state.reading.isSynchronized else { return }
        if let firstID = state.unanchoredFrom, let reference = state.reference {
            let passed = state.reading.wall.microseconds - reference.wall.microseconds
            let missed = reference.time + passed - state.time
            if missed > 0 {
                let step = Step(firstID: firstID, microseconds: missed)
                state.steps.append(step)
                state.time += missed
                pendingStep = step
            }
            if state.steps.count > Self.mostSteps {
                // Records between the two steps appear younger than they are; no record is lost by that.
                let oldest = state.steps.removeFirst()
                state.steps[0].firstID = oldest.firstID
                state.steps[0].microseconds += oldest.microseconds
            }
        }
        state.unanchoredFrom = nil
        state.reference = Reference(time: state.time, wall: state.reading.wall)
    }
}
