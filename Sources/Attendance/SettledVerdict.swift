/// A verdict as it was written down, because what was heard is deleted sooner than attendance is asked for.
public struct SettledVerdict: Hashable, Sendable {
    /// `Lecture.id`.
    public var lecture: String
    public var student: String
    public var status: AttendanceStatus
    /// Seconds.
    public var dwell: Int64
    /// Seconds since 1970.
    public var firstSeen: Int64?
    public var lastSeen: Int64?
    /// Whether all gateways that told of it had synchronized clocks.
    public var clockIsSynchronized: Bool

    public init(
        lecture: String, student: String, status: AttendanceStatus, dwell: Int64, firstSeen: Int64?, lastSeen: Int64?,
        clockIsSynchronized: Bool = true
    ) {
        self.lecture = lecture
        self.student = student
        self.status = status
        self.dwell = dwell
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.clockIsSynchronized = clockIsSynchronized
    }

    /// `nil` for an entry that isn't known, or that was written down before.
    public init?(_ entry: AttendanceEntry) {
        let verdict = entry.verdict
        if verdict.status == .unknown || verdict.reasons.contains(.settled) { return nil }
        self.init(
            lecture: entry.lecture.id, student: entry.student.id, status: verdict.status, dwell: verdict.dwell,
            firstSeen: verdict.firstSeen, lastSeen: verdict.lastSeen, clockIsSynchronized: verdict.clockIsSynchronized)
    }
}
