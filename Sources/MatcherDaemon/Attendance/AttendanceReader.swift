import SystemIO

/// Shared reader of timetable and roster. Reading takes seconds of processor time, and any client can ask, so one
/// result serves all for 30 s.
actor AttendanceReader {
    private var reading: Task<AttendanceFiles, any Error>?
    /// The last result, which can be a failure, and when it was read, in monotonic seconds.
    private var kept: (result: Result<AttendanceFiles, any Error>, readAt: Double)?

    /// Number of times that the files were changed here.
    private var changes = 0

    private static let patience = 30.0

    /// Forgets what was read, after a change.
    func forget() {
        changes += 1
        kept = nil
        reading = nil
    }

    /// Returns the current files.
    ///
    /// - Parameters:
    ///   - now: monotonic time in seconds.
    ///   - read: called if there is no recent result and no reading in progress.
    /// - Throws: the errors of `read`.
    func files(
        now: @Sendable () -> Double = { MonotonicSeconds.now },
        read: @escaping @Sendable () async throws -> AttendanceFiles
    ) async throws -> AttendanceFiles {
        if let kept, now() - kept.readAt <= Self.patience { return try kept.result.get() }
        if let reading { return try await reading.value }
        let task = Task { try await read() }
        reading = task
        let before = changes
        let result = await task.result
        // What was read before a change is not for later requests.
        if before == changes {
            reading = nil
            kept = (result, now())
        }
        return try result.get()
    }
}
