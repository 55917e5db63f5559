/// The number of a gateway's run: greater than that of every earlier run, and shared with no other gateway. Pure.
///
/// The number is based on the seconds since 1970, so it grows even if the state directory is lost with its SD card. The
/// bits below the seconds are random. Without them, two gateways made from one card that start in the same second would
/// give their records the same ids.
package enum BootNumber {
    /// Number of random, unpredictable bits.
    package static let randomBits: UInt64 = 20
    /// The greatest number. All numbers up to it are exact in JSON, even where JSON is read as doubles (RFC 8259,
    /// section 6).
    package static let greatest: UInt64 = 1 << 53 - 1
    /// Upper bound on the clock, which can say anything: the year 2106. It leaves as many numbers above it as below.
    private static let latestSecond: UInt64 = 1 << 32 - 1

    /// - Parameters:
    ///   - last: number of the previous run, below `greatest`; 0 if there was none.
    ///   - seconds: the time in seconds since 1970.
    package static func next(after last: UInt64, seconds: Int64, using generator: inout some RandomNumberGenerator)
        -> UInt64
    {
        let clock = min(UInt64(clamping: seconds), latestSecond) << randomBits
        let first = max(clock, min(last, greatest - 1) + 1)
        return UInt64.random(in: first...min(greatest, first + (1 << randomBits - 1)), using: &generator)
    }
}
