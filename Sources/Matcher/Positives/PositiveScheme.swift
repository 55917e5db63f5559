import Crypto
import Matching

/// How the list of positives names somebody.
enum PositiveScheme: String, CaseIterable, Sendable {
    /// A hash of an id that the phone said itself: who heard it hashes what it heard.
    case id
    /// A day and the seed of C19X from which all codes of that day follow.
    case c19x

    /// 16 bytes of SHA-256: nobody can guess the random id of which it is, and all entries are of one form.
    static func digest(kind: String, id: String) -> String {
        Base64URL.encode(SHA256.hash(data: Array("beacon-positive/1/\(kind)/\(id)".utf8)).prefix(16))
    }

    /// - Parameter day: since 1970.
    static func seedEntry(day: Int64, seed: Int64) -> String { "\(day)/\(seed)" }

    /// Something of the same form that is nobody.
    ///
    /// - Parameters:
    ///   - random: 32 bytes.
    ///   - day: on which it is published, since 1970.
    func filler(_ random: [UInt8], day: Int64) -> String {
        switch self {
        case .id: return Base64URL.encode(random.prefix(16))
        case .c19x:
            let seed = random[0..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // Seeds are of the days that a report looks back on.
            let daysBack = Int64(random[8]) % PositiveList.days
            return Self.seedEntry(day: day - daysBack, seed: Int64(bitPattern: seed))
        }
    }
}
