/// What an exposure by minutes together rests on, for people who have to decide.
public struct TogetherDetails: Equatable, Sendable {
    /// Receivers that heard both in a minute that counts, with the number of such minutes, most first.
    public var receivers: [Receiver]
    /// Receivers of the floor that were deaf in some of these minutes.
    public var deaf: [Int64]
    /// Minutes in which only one receiver was in reach of both: they were in the same area, and no more is known.
    public var sameAreaMinutes: Int
    /// Whether a receiver that heard both had an unsynchronized clock.
    public var isClockDoubtful: Bool
    /// What was heard in each minute that counts; the first `mostMinutes` of them.
    public var minutes: [Minute]

    public static let mostMinutes = 120

    public struct Receiver: Equatable, Sendable {
        public var receiver: Int64
        public var minutes: Int
    }

    public struct Minute: Equatable, Sendable {
        /// Seconds since 1970.
        public var start: Int64
        public var similarity: Double
        public var positive: [Hearing]
        public var other: [Hearing]
    }

    public init() {
        receivers = []
        deaf = []
        sameAreaMinutes = 0
        isClockDoubtful = false
        minutes = []
    }
}

/// What receivers knew of two subjects in one minute.
public struct PairEvidence: Sendable {
    /// Seconds since 1970.
    public var start: Int64
    public var positive: MinuteVector
    public var other: MinuteVector
    public var floors: ListeningFloors
    /// Receivers that were deaf in this minute, by floor.
    public var deaf: [Int64: [Int64]]
    /// Receivers whose clocks weren't synchronized.
    public var unsynchronized: Set<Int64>

    public init(
        start: Int64, positive: MinuteVector, other: MinuteVector, floors: ListeningFloors, deaf: [Int64: [Int64]],
        unsynchronized: Set<Int64>
    ) {
        self.start = start
        self.positive = positive
        self.other = other
        self.floors = floors
        self.deaf = deaf
        self.unsynchronized = unsynchronized
    }
}

extension TogetherDetails {
    /// - Parameters:
    ///   - evidence: of the time between an exposure's start and end, in the order of time.
    ///   - counted: when the minutes that count begin.
    public init(_ evidence: [PairEvidence], counted: Set<Int64>) {
        self.init()
        var heard: [Int64: Int] = [:]
        var deaf: Set<Int64> = []
        for one in evidence {
            let both = Set(one.positive.hearings.map(\.receiver)).intersection(one.other.hearings.map(\.receiver))
                .filter { one.floors.place(of: $0) != nil }
            guard counted.contains(one.start) else {
                if both.count == 1 { sameAreaMinutes += 1 }
                continue
            }
            for receiver in both { heard[receiver, default: 0] += 1 }
            isClockDoubtful = isClockDoubtful || !both.isDisjoint(with: one.unsynchronized)
            let positive = AmplitudeVector(one.positive, one.floors)
            let other = AmplitudeVector(one.other, one.floors)
            if let floor = positive?.floor { deaf.formUnion(one.deaf[floor] ?? []) }
            if minutes.count < Self.mostMinutes {
                minutes.append(
                    Minute(
                        start: one.start, similarity: other.flatMap { positive?.similarity(to: $0) } ?? 0,
                        positive: one.positive.hearings, other: one.other.hearings))
            }
        }
        receivers = heard.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
            Receiver(receiver: $0.key, minutes: $0.value)
        }
        self.deaf = deaf.sorted()
    }
}
