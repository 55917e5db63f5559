import Crypto

/// Derivation of the codes that the app C19X transmits from published seeds. A day's seed gives all beacon codes of the
/// day. The next day's code and the phone's secret cannot be derived from it (the app's `DayCodes`, `BeaconCodes`).
package enum C19XCodes {
    /// Number of beacon codes of a day. A phone transmits each of them at some time of the day.
    static let codesPerDay = 240

    /// Returns the beacon codes that follow from a day's seed: the first 8 bytes of hashes of hashes, the last first.
    package static func beaconCodes(seed: Int64) -> [Int64] {
        chain(of: bytes(seed), count: codesPerDay)
    }

    /// Returns the codes of the days that follow from a phone's secret, the first for the first day of the app's
    /// calendar.
    package static func dayCodes(secret: [UInt8], count: Int) -> [Int64] {
        chain(of: secret, count: count)
    }

    /// Returns the seed, which is published instead of a day's code.
    package static func seed(dayCode: Int64) -> Int64 {
        leadingInteger(SHA256.hash(data: bytes(dayCode).reversed()))
    }

    private static func chain(of start: [UInt8], count: Int) -> [Int64] {
        var codes = [Int64](repeating: 0, count: count)
        var hash = SHA256.hash(data: start)
        for index in codes.indices.reversed() {
            codes[index] = leadingInteger(hash)
            hash = SHA256.hash(data: Array(hash))
        }
        return codes
    }

    /// Returns the bytes of a value, most significant first.
    private static func bytes(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    private static func leadingInteger(_ hash: SHA256.Digest) -> Int64 {
        Int64(bitPattern: hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
