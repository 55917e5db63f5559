public import BeaconModel

/// Scalar Kalman filter on RSSI: a random walk, seen through noise that is the same for packets of one moment.
///
/// People in the way and the room's fading shift all packets of some seconds alike. So a packet that comes shortly
/// after another says less than one that comes later: its noise counts as white noise of the same power at zero
/// frequency, `R + s² max(1, 2 T/dt)` with the standard deviation `s` and correlation time `T` of that shift.
///
/// The level may wander by some dB in a second, so that somebody who walks past is followed within some 15 s. A slower one
/// would separate near from far better in recordings of people who stand still (PACT MIT matrix, H0H1) and follow nobody.
public struct RSSIFilter: Equatable, Sendable, Codable {
    /// Smoothed RSSI in dBm.
    public private(set) var value: Double
    /// Variance of `value`, in dB².
    public private(set) var variance: Double
    private var updatedAt: Timestamp

    /// dB² per second.
    private static let processNoise = 1.0
    /// Of a single packet, in dB².
    private static let measurementNoise = 25.0
    /// Of all packets of a moment, in dB².
    private static let sharedNoise = 20.25
    /// Seconds.
    private static let correlationTime = 5.0
    /// An older value says nothing about now.
    private static let forgetAfter: Duration = .seconds(60)

    /// - Parameter rssi: dBm, by a receiver without offset.
    public init(_ rssi: Double, at time: Timestamp) {
        value = rssi
        variance = Self.measurementNoise + Self.sharedNoise
        updatedAt = time
    }

    /// Whether what was read of it can be.
    var isPlausible: Bool { (-200.0...100).contains(value) && (0.0...1e12).contains(variance) }

    /// Whether the value says anything about `time`.
    public func isCurrent(at time: Timestamp) -> Bool { time - updatedAt <= Self.forgetAfter }

    /// - Parameter rssi: dBm, by a receiver without offset.
    public mutating func update(_ rssi: Double, at time: Timestamp) {
        guard isCurrent(at: time) else {
            self = RSSIFilter(rssi, at: time)
            return
        }
        let elapsed = max(0.001, (time - updatedAt).inSeconds)
        variance += Self.processNoise * elapsed
        let noise = Self.measurementNoise + Self.sharedNoise * max(1, 2 * Self.correlationTime / elapsed)
        // An outlier may pull, but not further than three standard deviations do.
        let limit = 3 * (variance + Self.measurementNoise + Self.sharedNoise).squareRoot()
        let innovation = min(max(rssi - value, -limit), limit)
        let gain = variance / (variance + noise)
        value += gain * innovation
        variance *= 1 - gain
        updatedAt = max(time, updatedAt)
    }
}
