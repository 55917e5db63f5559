import BeaconModel

/// Scalar Kalman filter on RSSI (random walk plus noise).
///
/// On the DP-3T recordings q = 0.1 dB²/s with R = 25 dB² separated near from far as well as any other smoother.
struct RSSIFilter: Equatable, Sendable {
    /// Smoothed RSSI in dBm.
    private(set) var value: Double
    /// Variance of `value`, in dB².
    private(set) var variance: Double
    private var updatedAt: Timestamp

    /// dB² per second.
    private static let processNoise = 0.1
    /// dB².
    private static let measurementNoise = 25.0
    /// An older value says nothing about now.
    private static let forgetAfter: Duration = .seconds(60)

    init(_ rssi: RSSI, at time: Timestamp) {
        value = Double(rssi.dBm)
        variance = Self.measurementNoise
        updatedAt = time
    }

    /// Whether the value says anything about `time`.
    func isCurrent(at time: Timestamp) -> Bool { time - updatedAt <= Self.forgetAfter }

    mutating func update(_ rssi: RSSI, at time: Timestamp) {
        let elapsed = time - updatedAt
        guard isCurrent(at: time) else {
            self = RSSIFilter(rssi, at: time)
            return
        }
        variance += Self.processNoise * max(0, elapsed.inSeconds)
        let total = variance + Self.measurementNoise
        // An outlier may pull, but not further than three standard deviations do.
        let limit = 3 * total.squareRoot()
        let innovation = min(max(Double(rssi.dBm) - value, -limit), limit)
        let gain = variance / total
        value += gain * innovation
        variance *= 1 - gain
        updatedAt = max(time, updatedAt)
    }
}
