package import BeaconModel

/// The time by which records in the outbox age. It advances by what has certainly passed, whatever is done to the wall
/// clock.
///
/// Within a start of the machine that is the time since then. Across starts only the wall clock can tell, and only if it
/// was synchronized at a moment before and at one after. Until it is, a record is as old as it is at least; once it is,
/// the clock is corrected, and records that came in meanwhile are corrected with it.
package struct OutboxClock: Equatable, Sendable {
    /// What a restart has to know.
    package private(set) var state: State
    private var pendingStep: Step?

    package struct State: Equatable, Sendable {
        package var reading: ClockReading
        /// This clock at `reading`, in microseconds.
        package var time: Int64
        /// The latest moment at which the wall clock was synchronized.
        package var reference: Reference?
        /// Records from this one on came in when the time since `reference` wasn't known; `nil` if it is.
        var unanchoredFrom: Int64?
        package var steps: [Step] = []
        /// The first record whose time is of this clock; those before are as old as this clock.
        package var firstID: Int64
        /// This clock when it began.
        package var origin: Int64
    }

    package struct Reference: Equatable, Sendable {
        package var time: Int64
        package var wall: Timestamp
    }

    /// A correction: records from `firstID` on came in later by `microseconds` than was known.
    package struct Step: Equatable, Sendable {
        package var firstID: Int64
        package var microseconds: Int64
    }

    package static let mostSteps = 32

    /// - Parameters:
    ///   - state: of the run before; `nil`: there was none, or it isn't known.
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

    /// The time of a record of an earlier run, in microseconds of this clock.
    ///
    /// - Parameter state: of that run; `nil`: it isn't known, and the record counts as new.
    package static func time(of row: (id: Int64, enteredAt: Int64), _ state: State?, now: ClockReading) -> Int64 {
        guard let state else { return now.wall.microseconds }
        guard row.id >= state.firstID else { return state.origin }
        return row.enteredAt + state.steps.filter { $0.firstID <= row.id }.reduce(0) { $0 + $1.microseconds }
    }

    /// The present time in microseconds, which never goes backwards.
    package mutating func observe(_ now: ClockReading) -> Int64 {
        state.time += max(0, now.sinceBoot - state.reading.sinceBoot)
        state.reading = now
        anchor()
        return state.time
    }

    /// The correction that has become known since this was last asked.
    package mutating func takeStep() -> Step? {
        defer { pendingStep = nil }
        return pendingStep
    }

    /// What is stored with a record that comes in now: later corrections are added to it. A row may have it, whatever
    /// an earlier state or a row has set this clock to.
    package var stamp: Int64 {
        let stamp = state.time - state.steps.reduce(0) { $0 + $1.microseconds }
        return min(max(stamp, OutboxRow.times.lowerBound), OutboxRow.times.upperBound - 1)
    }

    /// Whether the time since the latest reference is known.
    package var isAnchored: Bool { state.unanchoredFrom == nil }

    /// A time of this clock as the wall clock tells it at present.
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
                // Records between the two become younger than they are; that loses none.
                let oldest = state.steps.removeFirst()
                state.steps[0].firstID = oldest.firstID
                state.steps[0].microseconds += oldest.microseconds
            }
        }
        state.unanchoredFrom = nil
        state.reference = Reference(time: state.time, wall: state.reading.wall)
    }
}
