/// What an exposure by minutes together rests on, for people who have to decide.
package struct TogetherDetails: Equatable, Sendable {
    /// Receivers that heard both in a minute that counts, with the number of such minutes, most first.
    package var receivers: [Receiver]
    /// Receivers of the floor that were deaf in some of these minutes.
    package var deaf: [Int64]
    /// Minutes in which only one receiver was in reach of both: they were in the same area, and no more is known.
    package var sameAreaMinutes: Int
    /// Whether a receiver that heard both had an unsynchronized clock.
    package var isClockDoubtful: Bool
    /// What was heard in each minute that counts; the first `mostMinutes` of them.
    package var minutes: [Minute]

    package static let mostMinutes = 120

    package struct Receiver: Equatable, Sendable {
        package var receiver: Int64
        package var minutes: Int
    }

    package struct Minute: Equatable, Sendable {
        /// Seconds since 1970.
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

/// What receivers knew of two subjects in one minute.
package struct PairEvidence: Sendable {
    /// Seconds since 1970.
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

    /// Receivers that listened and heard both.
    fileprivate func eachOfBoth(_ body: (Int64) -> Void) {
        // Both are in the order of receivers' numbers.
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
    /// - Parameters:
    ///   - evidence: of the time between an exposure's start and end, in the order of time.
    ///   - hasMinutes: whether what was heard in each minute is wanted too.
    package init(_ evidence: some Sequence<PairEvidence>, hasMinutes: Bool) {
        self.init()
        var deaf: Set<Int64> = []
        for one in evidence {
            var heardBoth = 0
            one.eachOfBoth { receiver in
                heardBoth += 1
                guard one.isCounted else { return }
                isClockDoubtful = isClockDoubtful || one.listening.unsynchronized.contains(receiver)
                // There are few, so looking through them is faster than a table.
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
