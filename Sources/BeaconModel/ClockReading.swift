/// The clocks of a machine at one moment.
public struct ClockReading: Equatable, Sendable {
    /// The time of day. It can be set at any moment, and is wrong on a machine without a battery until it is.
    public var wall: Timestamp
    /// Microseconds since the machine was started, by a clock that nobody sets.
    public var sinceBoot: Int64
    /// Which start of the machine `sinceBoot` counts from; empty if that is unknown.
    public var bootID: String
    /// Whether `wall` follows a reference.
    public var isSynchronized: Bool

    public init(wall: Timestamp, sinceBoot: Int64, bootID: String, isSynchronized: Bool) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.bootID = bootID
        self.isSynchronized = isSynchronized
    }

    /// The same machine later, or earlier, with clocks that nobody has set in between.
    public static func + (reading: ClockReading, duration: Duration) -> ClockReading {
        var later = reading
        later.wall = reading.wall + duration
        later.sinceBoot = reading.sinceBoot.addingReportingOverflow(duration.clampedMicroseconds).partialValue
        return later
    }
}
