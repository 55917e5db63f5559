/// The number of a gateway's run: greater than that of every run before, and nobody else's. Pure.
///
/// The seconds since 1970 make it grow when the state directory is lost with its SD card. The bits below them are random:
/// two gateways that were made from one card, and start in the same second, would otherwise give their records the same ids.
package enum BootNumber {
    /// Bits that nobody can guess.
    package static let randomBits: UInt64 = 20
    /// Numbers up to this one are exact in JSON, wherever it is read as doubles (RFC 8259, section 6).
    package static let greatest: UInt64 = 1 << 53 - 1
    /// A clock may say anything; this is the year 2106, and leaves as many numbers above it as below.
    private static let latestSecond: UInt64 = 1 << 32 - 1

    /// - Parameters:
    ///   - last: of the run before; 0 when there was none; below `greatest`.
    ///   - seconds: since 1970.
    package static func next(after last: UInt64, seconds: Int64, using generator: inout some RandomNumberGenerator)
        -> UInt64
    {
        let clock = min(UInt64(clamping: seconds), latestSecond) << randomBits
        let first = max(clock, min(last, greatest - 1) + 1)
        return UInt64.random(in: first...min(greatest, first + (1 << randomBits - 1)), using: &generator)
    }
}
