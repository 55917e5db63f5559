/// A simultaneous reading of the clocks of a machine.
public struct ClockReading: Equatable, Sendable {
    /// Time of day. It can be set at any moment, and is wrong until then on a machine without a battery-backed clock.
    public var wall: Timestamp
    /// Microseconds since the machine started, by a clock that cannot be set.
    public var sinceBoot: Int64
    /// Identifier of the boot from which `sinceBoot` counts; empty if unknown.
    public var bootID: String
    /// Whether `wall` is synchronized to a reference.
    public var isSynchronized: Bool

    /// Creates a reading from its parts.
    public init(wall: Timestamp, sinceBoot: Int64, bootID: String, isSynchronized: Bool) {
        self.wall = wall
        self.sinceBoot = sinceBoot
        self.bootID = bootID
        self.isSynchronized = isSynchronized
    }

    /// Returns the reading of the same machine later, or earlier, if no clock is set in between.
    public static func + (reading: ClockReading, duration: Duration) -> ClockReading {
        var later = reading
        later.wall = reading.wall + duration
        later.sinceBoot = reading.sinceBoot.addingReportingOverflow(duration.clampedMicroseconds).partialValue
        return later
    }
}
