import BeaconModel

/// Table of the times at which subjects were last noted, in a fixed amount of memory: 8 bytes for each of `entries`.
///
/// Sets of eight entries, of which the oldest is overwritten. A subject is identified by 32 bits of its fingerprint
/// beside those that select the set, so that one in 2^29 other subjects is mistaken for it. The decisions based on this
/// table allow for that.
struct LastNotedTable: Sendable {
    /// Entries: 32 bits of the fingerprint above the low 32 bits of the milliseconds since 1970; 0 is a free entry.
    private var entries: [UInt64]
    private let setMask: Int

    private static let ways = 8

    /// Creates an empty table.
    ///
    /// - Parameter entries: a power of two, at least 8; other values are rounded up.
    init(entries: Int) {
        var sets = 1
        while sets * Self.ways < entries, sets < 1 << 24 { sets *= 2 }
        self.entries = Array(repeating: 0, count: sets * Self.ways)
        setMask = sets - 1
    }

    /// Returns the time since the subject was noted, forwards or backwards in time, at most 24 days; `nil` when it was
    /// not noted or was overwritten.
    func age(of fingerprint: UInt64, at time: Timestamp) -> Duration? {
        let start = start(of: fingerprint)
        for index in start..<(start + Self.ways) where isEntry(index, of: fingerprint) {
            return .milliseconds(distance(entries[index], Self.milliseconds(time)))
        }
        return nil
    }

    /// Notes the subject, if necessary in place of the one in its set that was noted longest ago.
    mutating func note(_ fingerprint: UInt64, at time: Timestamp) {
        let now = Self.milliseconds(time)
        let start = start(of: fingerprint)
        var chosen = start
        var oldest: Int64 = -1
        for index in start..<(start + Self.ways) {
            if isEntry(index, of: fingerprint) {
                chosen = index
                break
            }
            let age = entries[index] == 0 ? .max : distance(entries[index], now)
            if age > oldest {
                oldest = age
                chosen = index
            }
        }
        entries[chosen] = fingerprint & 0xFFFF_FFFF_0000_0000 | UInt64(now)
    }

    /// An entry with its position.
    struct Entry: Codable, Sendable {
        var place: Int
        var bits: UInt64
    }

    var noted: [Entry] {
        get { entries.indices.compactMap { entries[$0] == 0 ? nil : Entry(place: $0, bits: entries[$0]) } }
        set { for entry in newValue where entries.indices.contains(entry.place) { entries[entry.place] = entry.bits } }
    }

    private func start(of fingerprint: UInt64) -> Int {
        (Int(truncatingIfNeeded: fingerprint) & setMask) * Self.ways
    }

    private func isEntry(_ index: Int, of fingerprint: UInt64) -> Bool {
        entries[index] != 0 && entries[index] >> 32 == fingerprint >> 32
    }

    /// Returns the milliseconds between the time of an entry and `now`.
    private func distance(_ entry: UInt64, _ now: UInt32) -> Int64 {
        abs(Int64(Int32(bitPattern: now &- UInt32(truncatingIfNeeded: entry))))
    }

    private static func milliseconds(_ time: Timestamp) -> UInt32 {
        UInt32(truncatingIfNeeded: time.microseconds / 1000)
    }
}
