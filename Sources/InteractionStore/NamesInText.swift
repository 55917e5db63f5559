package import Matching

/// The names of a subject in texts that people wrote, such as reasons and searches.
///
/// They are `KIND:ID`, and the ID alone if it cannot be another word, in capitals or not, also as addresses write them:
/// `KIND%3AID`, and `%2F` in place of `/`. The UUID of a badge can lack its hyphens.
package struct NamesInText: Sendable {
    /// Names in small letters, the longest first.
    private let names: [[UInt8]]
    private let isBadge: Bool
    /// The ID in small letters.
    private let id: [UInt8]
    /// Names of others that contain the ID.
    private let others: LongerNames
    /// Texts of which each text that names the subject contains one, in capitals or not.
    package let parts: [String]

    /// - Parameter others: known names of others. Those that contain the ID are not the subject's.
    package init(of subject: SubjectIdentity, others: [String] = []) {
        let ids = Self.spellings(of: subject)
        let kinds = [subject.kind + ":", subject.kind + "%3A"]
        let full = kinds.flatMap { kind in ids.map { kind + $0 } }
        let isAlone = subject.isNamedByIDAlone
        parts = isAlone ? ids : full
        names = (isAlone ? full + ids : full).map { $0.utf8.map(Self.lowercased) }.sorted { $0.count > $1.count }
        isBadge = subject.kind == SubjectIdentity.badge
        id = subject.id.utf8.map(Self.lowercased)
        let own = Set(full.map { $0.utf8.map(Self.lowercased) })
        let known = isBadge ? [] : Set(others.map { $0.utf8.map(Self.lowercased) }).subtracting(own)
        self.others = LongerNames(known, around: id)
    }

    /// How a text names the subject.
    package enum Naming: Equatable, Sendable {
        /// It does not.
        case no
        /// The name is beside a letter or a digit, and it is not known whether it is a longer name.
        case unclear
        case yes
    }

    /// Returns a text with `(erased)` in place of each name of the subject. What is unclear stays.
    package func erased(from text: String) -> String {
        let bytes = Array(text.utf8)
        var kept: [UInt8] = []
        var end = 0
        for found in occurrences(in: bytes) where found.naming == .yes && found.range.lowerBound >= end {
            kept += bytes[end..<found.range.lowerBound]
            kept += Array(AuditEntry.erased.utf8)
            end = found.range.upperBound
        }
        if end == 0 { return text }
        kept += bytes[end...]
        return String(decoding: kept, as: UTF8.self)
    }

    /// Whether and how a text names the subject.
    package func naming(in text: String) -> Naming {
        let found = occurrences(in: Array(text.utf8)).map(\.naming)
        return found.contains(.yes) ? .yes : found.contains(.unclear) ? .unclear : .no
    }

    /// Returns the texts that stand for the ID of a subject.
    private static func spellings(of subject: SubjectIdentity) -> [String] {
        guard subject.kind == SubjectIdentity.badge else {
            let encoded = percentEncoded(subject.id)
            return encoded == subject.id ? [subject.id] : [subject.id, encoded]
        }
        let parts = subject.id.split(separator: "/")
        guard let uuid = parts.first else { return [subject.id] }
        return [String(uuid), String(uuid.filter { $0 != "-" })].flatMap { uuid in
            ["/", "%2F"].map { ([uuid] + parts.dropFirst().map { String($0) }).joined(separator: $0) }
        }
    }

    /// Returns a text as an address has it.
    private static func percentEncoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            if isAlphanumeric(byte) || "-._~".utf8.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    /// A place in a text with the bytes of a name.
    private struct Occurrence {
        var range: Range<Int>
        var naming: Naming
    }

    /// Returns the occurrences of all names in the order of the text. They can overlap: `KIND:ID` contains the ID.
    private func occurrences(in bytes: [UInt8]) -> [Occurrence] {
        let text = bytes.map(Self.lowercased)
        var found: [Occurrence] = []
        for start in text.indices {
            for name in names where text[start...].starts(with: name) {
                let range = start..<start + name.count
                let isOther =
                    name.reversed().starts(with: id.reversed()) && others.contain(text, at: range.upperBound - id.count)
                found.append(Occurrence(range: range, naming: isOther ? .no : naming(of: range, text)))
            }
        }
        return found
    }

    /// Whether the characters beside a name belong to it.
    private func naming(of range: Range<Int>, _ text: [UInt8]) -> Naming {
        let after = range.upperBound < text.count ? text[range.upperBound] : nil
        if isBadge { return after.map(Self.isDigit) ?? false ? .no : .yes }
        if let after, Self.isAlphanumeric(after) { return .unclear }
        return Self.canBegin(range.lowerBound, text) ? .yes : .unclear
    }

    /// Whether a name can begin at a position: not after a letter or a digit, except those of an escape such as `%3D`.
    static func canBegin(_ start: Int, _ text: [UInt8]) -> Bool {
        guard start > 0, isAlphanumeric(text[start - 1]) else { return true }
        return start > 2 && text[start - 3] == UInt8(ascii: "%")
            && text[start - 2..<start].allSatisfy(isHexadecimal)
    }

    /// Returns where bytes begin in others.
    static func positions(of part: [UInt8], in bytes: [UInt8]) -> [Int] {
        guard !part.isEmpty, bytes.count >= part.count else { return [] }
        return (0...bytes.count - part.count).filter { bytes[$0...].starts(with: part) }
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "f") ~= lowercased(byte)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || UInt8(ascii: "a")...UInt8(ascii: "z") ~= lowercased(byte)
    }
}

extension SubjectIdentity {
    /// Minimum length of an ID that names a subject without its kind, in bytes.
    package static let shortestAlone = 16

    /// Whether the ID alone names the subject: a badge's always, another one if it looks random. A word does not, such
    /// as `reception`.
    package var isNamedByIDAlone: Bool {
        kind == Self.badge || id.utf8.count >= Self.shortestAlone && id.utf8.contains(where: NamesInText.isDigit)
    }

    /// Returns the subjects that a text can name.
    package static func candidates(in text: String) -> Set<SubjectIdentity> {
        let bytes = Array(text.utf8)
        return badges(in: bytes).union(named(in: bytes))
    }

    /// Returns the badges in a text, with or without the hyphens of their UUIDs.
    private static func badges(in bytes: [UInt8]) -> Set<SubjectIdentity> {
        let text = bytes.map(NamesInText.lowercased)
        var found: Set<SubjectIdentity> = []
        // From the end of the UUID: digits before it can be anything.
        for end in text.indices {
            guard let major = number(text, after: end), let minor = number(text, after: major.end) else { continue }
            for length in [36, 32] where end >= length {
                let uuid = String(decoding: text[end - length..<end], as: UTF8.self)
                let id = "\(uuid)/\(major.digits)/\(minor.digits)"
                if let subject = SubjectIdentity(writtenKind: Self.badge, id: id) { found.insert(subject) }
            }
        }
        return found
    }

    /// Returns a number after a slash, and where it ends.
    private static func number(_ text: [UInt8], after start: Int) -> (digits: String, end: Int)? {
        let slash = Array("%2f".utf8)
        var first = start
        if first < text.count, text[first] == UInt8(ascii: "/") {
            first += 1
        } else if text[min(first, text.count)...].starts(with: slash) {
            first += slash.count
        } else {
            return nil
        }
        var end = first
        while end < text.count, NamesInText.isDigit(text[end]) { end += 1 }
        return end > first ? (String(decoding: text[first..<end], as: UTF8.self), end) : nil
    }

    /// Returns subjects that are `KIND:ID` in a text, and phones whose ID alone is in it.
    private static func named(in bytes: [UInt8]) -> Set<SubjectIdentity> {
        let escaped = Array("%3a".utf8)
        var found: Set<SubjectIdentity> = []
        for start in bytes.indices where (0x21...0x7E).contains(bytes[start]) {
            var kinds: [String] = []
            if start > 0, bytes[start - 1] == UInt8(ascii: ":") {
                kinds = kind(bytes, before: start - 1)
            } else if start > 2, bytes[start - 3..<start].map(NamesInText.lowercased) == escaped {
                kinds = kind(bytes, before: start - 3)
            }
            let canBeAlone = NamesInText.canBegin(start, bytes)
            guard canBeAlone || !kinds.isEmpty else { continue }
            for id in ids(bytes, from: start) {
                found.formUnion(kinds.compactMap { SubjectIdentity(writtenKind: $0, id: id) })
                let alone = canBeAlone ? SubjectIdentity(kind: Self.phone, id: id) : nil
                if let alone, alone.isNamedByIDAlone { found.insert(alone) }
            }
        }
        return found
    }

    /// Returns the kind that ends at a position, in small letters.
    private static func kind(_ bytes: [UInt8], before end: Int) -> [String] {
        var start = end
        while start > 0, NamesInText.isAlphanumeric(bytes[start - 1]) || bytes[start - 1] == UInt8(ascii: "-") {
            start -= 1
        }
        let text = String(decoding: bytes[start..<end].map(NamesInText.lowercased), as: UTF8.self)
        return text.isEmpty ? [] : [text]
    }

    /// Returns the texts from a position that can be an ID: they end where a letter or digit does not follow.
    private static func ids(_ bytes: [UInt8], from start: Int) -> [String] {
        var ids: [String] = []
        var end = start
        while end < bytes.count, (0x21...0x7E).contains(bytes[end]), end - start < longestID {
            end += 1
            let isInside =
                end < bytes.count && NamesInText.isAlphanumeric(bytes[end])
                && NamesInText.isAlphanumeric(bytes[end - 1])
            if isInside { continue }
            let id = String(decoding: bytes[start..<end], as: UTF8.self)
            ids += id.lowercased() == id ? [id] : [id, id.lowercased()]
        }
        return ids
    }
}
