/// The signals of one receiver: what it received from all tracked subjects in one second.
public struct Signals: Equatable, Sendable {
    /// Start of the second: a whole number of seconds since 1970 in UTC.
    public var startedAt: Timestamp
    /// Time of the second in which the receiver is taken to listen, from zero to one second; zero if it is deaf.
    ///
    /// It distinguishes a second in which no subject transmitted from one in which the receiver was deaf.
    public var listened: Duration
    /// Received subjects, sorted and without duplicates.
    public var subjects: [Readings.Heard]

    /// Creates signals from their parts.
    public init(startedAt: Timestamp, listened: Duration, subjects: [Readings.Heard]) {
        self.startedAt = startedAt
        self.listened = listened
        self.subjects = subjects
    }
}
