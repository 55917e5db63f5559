/// The latest output of an RS9116's boot loader, bounded in length.
struct RS9116BootText: Sendable {
    private var bytes: [UInt8] = []

    private static let longest = 8192

    mutating func add(_ more: [UInt8]) {
        // NUL bytes have no meaning, as in replies.
        bytes += more.lazy.filter { $0 != 0 }
        if bytes.count > Self.longest { bytes.removeFirst(bytes.count - Self.longest) }
    }

    mutating func removeAll() { bytes.removeAll() }

    func contains(_ byte: UInt8) -> Bool { bytes.contains(byte) }

    func has(_ text: String) -> Bool { !indices(of: text).isEmpty }

    /// Returns the indices at which `text` begins.
    func indices(of text: String) -> some Collection<Int> {
        let wanted = Array(text.utf8)
        let starts = 0..<max(0, bytes.count - wanted.count + 1)
        return starts.lazy.filter { [bytes] in bytes[$0] == wanted.first && bytes[$0...].starts(with: wanted) }
    }

    /// Whether the output contains `text`, which must be in lower case; the comparison ignores case.
    func says(_ text: String) -> Bool { words.lowercased().contains(text) }

    var words: String { String(decoding: bytes, as: UTF8.self) }

    /// Complete lines, without line ends and leading white space.
    var lines: [String] {
        let words = words
        guard let end = words.lastIndex(where: \.isNewline) else { return [] }
        return words[..<end].split(whereSeparator: \.isNewline).map { line in
            String(line.drop { $0.isWhitespace })
        }
    }
}
