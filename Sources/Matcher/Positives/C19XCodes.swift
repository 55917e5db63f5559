import Crypto

/// How the app C19X derives what a phone says from what is published: a day's seed gives all beacon codes of the day, and
/// nobody can derive the code of the next day, or the phone's secret, from it (the app's `DayCodes`, `BeaconCodes`).
enum C19XCodes {
    /// Beacon codes of one day. A phone says each of them some time of the day.
    static let codesPerDay = 240

    /// The beacon codes that follow from a day's seed: the first 8 bytes of hashes of hashes, the last first.
    static func beaconCodes(seed: Int64) -> [Int64] {
        chain(of: bytes(seed), count: codesPerDay)
    }

    /// The codes of the days that follow from a phone's secret, the first for the first day of the app's calendar.
    static func dayCodes(secret: [UInt8], count: Int) -> [Int64] {
        chain(of: secret, count: count)
    }

    /// What is published in the place of a day's code.
    static func seed(dayCode: Int64) -> Int64 {
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

    /// Most significant byte first.
    private static func bytes(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    private static func leadingInteger(_ hash: SHA256.Digest) -> Int64 {
        Int64(bitPattern: hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
