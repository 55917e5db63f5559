/// Evidence for an exposure by minutes together, for people who must decide.
package struct TogetherDetails: Equatable, Sendable {
    /// Receivers that received both in a counted minute, with the number of such minutes, most first.
    package var receivers: [Receiver]
    /// Receivers of the floor that did not listen in some of these minutes.
    package var deaf: [Int64]
    /// Minutes in which only one receiver was in reach of both: they were in the same area, and no more is known.
    package var sameAreaMinutes: Int
    /// Whether a receiver that received both had an unsynchronized clock.
    package var isClockDoubtful: Bool
    /// Signals in each counted minute; the first `mostMinutes` of them.
    package var minutes: [Minute]

    package static let mostMinutes = 120

    package struct Receiver: Equatable, Sendable {
        package var receiver: Int64
        package var minutes: Int
    }

    package struct Minute: Equatable, Sendable {
        /// Start, in seconds since 1970.
        package var start: Int64
        package var similarity: Double
        package var positive: [Hearing]
        package var other: [Hearing]
    }

    package init() {
        receivers = []
        deaf = []
        sameAreaMinutes = 0
        isClockDoubtful = false
        minutes = []
    }
}

/// Evidence of receivers about two subjects in one minute.
package struct PairEvidence: Sendable {
    /// Start, in seconds since 1970.
    package var start: Int64
    package var positive: MinuteVector
    package var other: MinuteVector
    package var listening: MinuteListening
    /// Whether the minute counts.
    package var isCounted: Bool

    package init(
        start: Int64, positive: MinuteVector, other: MinuteVector, listening: MinuteListening, isCounted: Bool
    ) {
        self.start = start
        self.positive = positive
        self.other = other
        self.listening = listening
        self.isCounted = isCounted
    }

    /// Visits the receivers that listened and received both.
    fileprivate func eachOfBoth(_ body: (Int64) -> Void) {
        // Both are in the order of receiver numbers.
        var index = 0
        for hearing in positive.hearings {
            while index < other.hearings.count, other.hearings[index].receiver < hearing.receiver { index += 1 }
            guard index < other.hearings.count else { return }
            if other.hearings[index].receiver == hearing.receiver,
                listening.floors.place(of: hearing.receiver) != nil
            {
                body(hearing.receiver)
            }
        }
    }
}

extension TogetherDetails {
    /// Collects the details.
    ///
    /// - Parameters:
    ///   - evidence: evidence between an exposure's start and end, in order of time.
    ///   - hasMinutes: whether to include the signals in each minute.
    package init(_ evidence: some Sequence<PairEvidence>, hasMinutes: Bool) {
        self.init()
        var deaf: Set<Int64> = []
        for one in evidence {
            var heardBoth = 0
            one.eachOfBoth { receiver in
                heardBoth += 1
                guard one.isCounted else { return }
                isClockDoubtful = isClockDoubtful || one.listening.unsynchronized.contains(receiver)
                // There are few receivers, so a linear search is faster than a table.
                if let index = receivers.firstIndex(where: { $0.receiver == receiver }) {
                    receivers[index].minutes += 1
                } else {
                    receivers.append(Receiver(receiver: receiver, minutes: 1))
                }
            }
            guard one.isCounted else {
                if heardBoth == 1 { sameAreaMinutes += 1 }
                continue
            }
            let isShown = hasMinutes && minutes.count < Self.mostMinutes
            guard isShown || !one.listening.deaf.isEmpty else { continue }
            let positive = AmplitudeVector(one.positive, one.listening.floors)
            if let floor = positive?.floor { deaf.formUnion(one.listening.deaf[floor] ?? []) }
            guard isShown else { continue }
            let other = AmplitudeVector(one.other, one.listening.floors)
            minutes.append(
                Minute(
                    start: one.start, similarity: other.flatMap { positive?.similarity(to: $0) } ?? 0,
                    positive: one.positive.hearings, other: one.other.hearings))
        }
        receivers.sort { ($1.minutes, $0.receiver) < ($0.minutes, $1.receiver) }
        self.deaf = deaf.sorted()
    }
}
