import FloorPlans

/// Limits of the numbers in a recording, so that nothing overflows and wrong units are noticed.
enum RecordingLimits {
    /// Times in seconds: 3,000 years before and after their origin. Milliseconds since 1970 are outside.
    static let times = -1e11...1e11
    /// Coordinates in metres, as in plans.
    static let coordinates = PlanLimits.coordinates
    /// Heights above the floor in metres.
    static let heights = -100.0...1000.0
    /// RSSI in dBm, as radios report it.
    static let levels = -127.0...20.0
}
