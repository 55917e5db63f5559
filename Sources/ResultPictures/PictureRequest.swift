/// The header in front of a picture that is sent to a worker: 4 bytes with the length of the picture, and 4 bytes with
/// the latest day on which the sample can have been taken, in days since 1970. Both are big-endian.
package struct PictureRequest: Hashable, Sendable {
    /// Length of the header in bytes.
    package static let length = 8
    private static let latestDay: Int64 = 3_000_000

    package let byteCount: Int
    package let latest: Int64

    /// - Returns: `nil` for a picture that is empty or too long, or for an impossible day.
    package init?(byteCount: Int, latest: Int64) {
        guard (1...PictureLimits.bytes).contains(byteCount), (0...Self.latestDay).contains(latest) else { return nil }
        self.byteCount = byteCount
        self.latest = latest
    }

    /// Parses a header.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, let byteCount = bytes.number(at: 0, length: 4),
            let latest = bytes.number(at: 4, length: 4)
        else { return nil }
        self.init(byteCount: byteCount, latest: Int64(latest))
    }

    package var bytes: [UInt8] {
        [UInt32(byteCount), UInt32(latest)].flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
    }
}
