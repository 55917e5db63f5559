/// The beginning or the end of a component of an iCalendar file: `BEGIN:VEVENT`.
struct ComponentMark {
    package enum Kind: String {
        case begin = "BEGIN"
        case end = "END"
    }

    var kind: Kind
    /// In upper case. Of a line that libical takes for a mark and that isn't written as one, `nil`.
    var name: String?

    /// The line as libical is to read it.
    var line: [UInt8] { Array("\(kind.rawValue):\(name ?? "")".utf8) }

    /// `nil` for another line.
    ///
    /// As libical does it, the word counts in any case, with white space behind it, and with parameters.
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

    /// libical knows components by how their names begin: it takes `VEVENTS` for an event.
    private static func isMistakable(_ name: String) -> Bool {
        ["VCALENDAR", "VEVENT"].contains { name != $0 && name.hasPrefix($0) }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// In upper case, without white space at its end.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.lastIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) }.map { $0 + 1 } ?? bytes.startIndex
        return String(decoding: bytes[..<end].map(upper), as: UTF8.self)
    }

    private static func upper(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 0x20 : byte
    }
}
