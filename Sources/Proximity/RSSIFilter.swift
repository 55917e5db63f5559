public import BeaconModel

/// Scalar Kalman filter on RSSI: a random walk, observed with noise that packets of one moment share.
///
/// People in the way and the room's fading shift all packets of some seconds alike. A packet that comes shortly after
/// another therefore carries less information than a later one: its noise counts as white noise of the same power at
/// zero frequency, `R + s² max(1, 2 T/dt)` with the standard deviation `s` and correlation time `T` of that shift.
///
/// The level can change by some dB in a second, so that the filter follows a person walking past within some 15 s. A
/// slower filter would separate near from far better in recordings of people who stand still (PACT MIT matrix, H0H1),
/// but would not follow a moving person.
public struct RSSIFilter: Equatable, Sendable, Codable {
    /// Smoothed RSSI in dBm.
    public private(set) var value: Double
    /// Variance of `value`, in dB².
    public private(set) var variance: Double
    private var updatedAt: Timestamp

    /// Variance of the random walk, in dB² per second.
    private static let processNoise = 1.0
    /// Variance of a single packet, in dB².
    private static let measurementNoise = 25.0
    /// Variance that all packets of a moment share, in dB².
    private static let sharedNoise = 20.25
    /// Correlation time of the shared noise, in seconds.
    private static let correlationTime = 5.0
    /// Age from which a value is no longer meaningful.
    private static let forgetAfter: Duration = .seconds(60)

    /// Creates a filter from a first value.
    ///
    /// - Parameter rssi: dBm, corrected for the receiver's offset.
    public init(_ rssi: Double, at time: Timestamp) {
        value = rssi
        variance = Self.measurementNoise + Self.sharedNoise
        updatedAt = time
    }

    /// Whether the values read from a file are plausible.
    var isPlausible: Bool { (-200.0...100).contains(value) && (0.0...1e12).contains(variance) }

    /// Whether the value is still meaningful at `time`.
    public func isCurrent(at time: Timestamp) -> Bool { time - updatedAt <= Self.forgetAfter }

    /// Updates the filter.
    ///
    /// - Parameter rssi: dBm, corrected for the receiver's offset.
    public mutating func update(_ rssi: Double, at time: Timestamp) {
        guard isCurrent(at: time) else {
            self = RSSIFilter(rssi, at: time)
            return
        }
        let elapsed = max(0.001, (time - updatedAt).inSeconds)
        variance += Self.processNoise * elapsed
        let noise = Self.measurementNoise + Self.sharedNoise * max(1, 2 * Self.correlationTime / elapsed)
        // An outlier has no more influence than a deviation of three standard deviations.
        let limit = 3 * (variance + Self.measurementNoise + Self.sharedNoise).squareRoot()
        let innovation = min(max(rssi - value, -limit), limit)
        let gain = variance / (variance + noise)
        value += gain * innovation
        variance *= 1 - gain
        updatedAt = max(time, updatedAt)
    }
}
