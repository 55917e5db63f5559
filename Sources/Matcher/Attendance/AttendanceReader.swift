import SystemIO

/// Reads timetable and roster for all who ask, once for a moment: it takes seconds of a processor, and anybody may ask.
actor AttendanceReader {
    private var reading: Task<AttendanceFiles, any Error>?
    /// Also why they can't be read. Seconds of a clock that doesn't jump.
    private var kept: (result: Result<AttendanceFiles, any Error>, readAt: Double)?

    private static let patience = 30.0

    /// - Parameters:
    ///   - now: seconds of a clock that doesn't jump.
    ///   - read: called where nothing was read lately, and nobody reads now.
    /// - Throws: what `read` throws.
    func files(
        now: @Sendable () -> Double = { MonotonicSeconds.now },
        read: @escaping @Sendable () async throws -> AttendanceFiles
    ) async throws -> AttendanceFiles {
        if let kept, now() - kept.readAt <= Self.patience { return try kept.result.get() }
        if let reading { return try await reading.value }
        let task = Task { try await read() }
        reading = task
        let result = await task.result
        reading = nil
        kept = (result, now())
        return try result.get()
    }
}
