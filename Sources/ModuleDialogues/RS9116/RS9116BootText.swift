/// What an RS9116's boot loader has said; the end of it, if it is much.
struct RS9116BootText: Sendable {
    private var bytes: [UInt8] = []

    private static let longest = 8192

    mutating func add(_ more: [UInt8]) {
        // As in replies, NUL bytes mean nothing.
        bytes += more.lazy.filter { $0 != 0 }
        if bytes.count > Self.longest { bytes.removeFirst(bytes.count - Self.longest) }
    }

    mutating func removeAll() { bytes.removeAll() }

    func contains(_ byte: UInt8) -> Bool { bytes.contains(byte) }

    func has(_ text: String) -> Bool { !indices(of: text).isEmpty }

    /// Where `text` begins.
    func indices(of text: String) -> some Collection<Int> {
        let wanted = Array(text.utf8)
        let starts = 0..<max(0, bytes.count - wanted.count + 1)
        return starts.lazy.filter { [bytes] in bytes[$0] == wanted.first && bytes[$0...].starts(with: wanted) }
    }

    /// Whether there is `text`, which is in lower case, in letters of any case.
    func says(_ text: String) -> Bool { words.lowercased().contains(text) }

    var words: String { String(decoding: bytes, as: UTF8.self) }

    /// Complete lines, without what surrounds them.
    var lines: [String] {
        let words = words
        guard let end = words.lastIndex(where: \.isNewline) else { return [] }
        return words[..<end].split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0.isWhitespace })
        }
    }
}
