import Crypto
import Matching

/// Form of the entries in the list of positives.
package enum PositiveScheme: String, CaseIterable, Sendable {
    /// Hash of a code that the phone transmitted, never of its id. A phone that received the code hashes it as well.
    case id
    /// A day, and the seed of C19X from which all codes of that day follow.
    case c19x

    /// Returns the digest of a code: 16 bytes of SHA-256. The random code cannot be guessed from it, and all entries
    /// have the same form.
    package static func digest(kind: String, id: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array("beacon-positive/1/\(kind)/\(id)".utf8)).prefix(16))
    }

    /// Returns the entry of a seed.
    ///
    /// - Parameter day: days since 1970.
    package static func seedEntry(day: Int64, seed: Int64) -> String { "\(day)/\(seed)" }

    /// Number of entries in each epoch. The history of an app that changes its code every five minutes has 4032 codes
    /// in 14 days, which take half a day.
    package var slotsPerEpoch: Int64 {
        switch self {
        case .id: 32
        // One for each day of the list.
        case .c19x: PositiveList.days
        }
    }

    /// Returns the day of the seeds that a slot can hold, since 1970.
    ///
    /// Each epoch has one slot for each day, so that the days do not reveal which seeds are of one report. The day is
    /// always over: a seed of today would identify a person by what their phone transmits next.
    private func day(ofSlot slot: Int64) -> Int64 {
        slot / slotsPerEpoch * PositiveList.epoch / PositiveList.day - 1 - slot % PositiveList.days
    }

    /// Returns whether a slot can hold an entry.
    package func admits(_ value: String, slot: Int64) -> Bool {
        switch self {
        case .id: true
        case .c19x: value.hasPrefix("\(day(ofSlot: slot))/")
        }
    }

    /// Returns an entry of the same form that stands for nobody.
    ///
    /// - Parameter random: 32 bytes.
    package func filler(_ random: [UInt8], slot: Int64) -> String {
        switch self {
        case .id: return Base64URL.encode(random.prefix(16))
        case .c19x:
            let seed = random[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Self.seedEntry(day: day(ofSlot: slot), seed: Int64(bitPattern: seed))
        }
    }
}
