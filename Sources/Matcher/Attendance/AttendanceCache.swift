import SystemIO

/// Timetable and roster, for a moment: reading them takes seconds of a processor, and anybody may ask.
struct AttendanceCache: Sendable {
    private var files: AttendanceFiles?
    /// Seconds of a clock that doesn't jump.
    private var readAt = 0.0

    private static let patience = 30.0

    /// - Parameter now: seconds of a clock that doesn't jump.
    func files(now: Double) -> AttendanceFiles? { now - readAt <= Self.patience ? files : nil }

    mutating func keep(_ files: AttendanceFiles, now: Double) {
        self.files = files
        readAt = now
    }
}
