/// Beginning or end of a component of an iCalendar file, such as `BEGIN:VEVENT`.
struct ComponentMark {
    package enum Kind: String {
        case begin = "BEGIN"
        case end = "END"
    }

    var kind: Kind
    /// Name in upper case; `nil` for a line that libical treats as a mark although it is malformed.
    var name: String?

    /// Normalized line for libical.
    var line: [UInt8] { Array("\(kind.rawValue):\(name ?? "")".utf8) }

    /// Parses a line; `nil` for one that is not a mark.
    ///
    /// As in libical, the keyword can be in any case, and be followed by white space or parameters.
    init?(_ line: ArraySlice<UInt8>) {
        let word = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        guard let kind = Kind(rawValue: Self.text(word)) else { return nil }
        self.kind = kind
        let name = Self.text(line[word.endIndex...].dropFirst())
        let isWellFormed =
            word.count == kind.rawValue.utf8.count && line[word.endIndex...].first == UInt8(ascii: ":") && !name.isEmpty
            && name.utf8.allSatisfy(Self.isNamePart)
        self.name = isWellFormed && !Self.isMistakable(name) ? name : nil
    }

    /// Whether libical could mistake a name for another one. It recognizes components by the beginnings of their names
    /// and takes `VEVENTS` for an event.
    private static func isMistakable(_ name: String) -> Bool {
        ["VCALENDAR", "VEVENT"].contains { name != $0 && name.hasPrefix($0) }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// Returns the text in upper case, without trailing white space.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.lastIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end].map(upper), as: UTF8.self)
    }

    private static func upper(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 0x20 : byte
    }
}
