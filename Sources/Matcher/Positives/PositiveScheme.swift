import Crypto
import Matching

/// How the list of positives names somebody.
enum PositiveScheme: String, CaseIterable, Sendable {
    /// A hash of a code that the phone said, never of its id: who heard it hashes what it heard.
    case id
    /// A day and the seed of C19X from which all codes of that day follow.
    case c19x

    /// 16 bytes of SHA-256: nobody can guess the random code of which it is, and all entries are of one form.
    static func digest(kind: String, id: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array("beacon-positive/1/\(kind)/\(id)".utf8)).prefix(16))
    }

    /// - Parameter day: since 1970.
    static func seedEntry(day: Int64, seed: Int64) -> String { "\(day)/\(seed)" }

    /// Entries in each epoch. The history of an app that changes its code every five minutes has 4032 of 14 days, which take
    /// half a day.
    var slotsPerEpoch: Int64 {
        switch self {
        case .id: 32
        // One for each day that the list goes back.
        case .c19x: PositiveList.days
        }
    }

    /// The day of the seeds that a slot may have, since 1970.
    ///
    /// Each epoch has one for each day, so that nobody sees in the days which seeds are of one report. The day is over: by a seed
    /// of today somebody would be recognised by what their phone says next.
    private func day(ofSlot slot: Int64) -> Int64 {
        slot / slotsPerEpoch * PositiveList.epoch / PositiveList.day - 1 - slot % PositiveList.days
    }

    /// Whether a slot may have an entry.
    func admits(_ value: String, slot: Int64) -> Bool {
        switch self {
        case .id: true
        case .c19x: value.hasPrefix("\(day(ofSlot: slot))/")
        }
    }

    /// Something of the same form that is nobody.
    ///
    /// - Parameter random: 32 bytes.
    func filler(_ random: [UInt8], slot: Int64) -> String {
        switch self {
        case .id: return Base64URL.encode(random.prefix(16))
        case .c19x:
            let seed = random[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Self.seedEntry(day: day(ofSlot: slot), seed: Int64(bitPattern: seed))
        }
    }
}
