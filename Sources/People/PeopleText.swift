/// Decoding of a file of people.
enum PeopleText {
    /// A reason why a file cannot be read as a table.
    struct Defect: Error {
        var location: String
        var found: String
        var allowed: String
    }

    /// Returns the text of a file, without a byte order mark.
    ///
    /// - Throws: `Defect` for a file in another encoding, or with more than the limits.
    static func decode(_ bytes: [UInt8]) throws(Defect) -> String {
        guard bytes.count <= PeopleFile.longest else {
            throw Defect(
                location: "file", found: "has \(bytes.count) bytes", allowed: "must have at most \(PeopleFile.longest)")
        }
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.contains(0)
        if isUTF16 { throw Defect(location: "file", found: "is UTF-16 or binary", allowed: encodingForm) }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Defect(
                location: "line \(firstInvalidLine(content))",
                found: "is not UTF-8 text, but Latin-1 or another encoding", allowed: encodingForm)
        }
        // Counted before the text is split: what is split takes several times the memory.
        let feeds = content.count { $0 == UInt8(ascii: "\n") }
        let ends = max(feeds, content.count { $0 == UInt8(ascii: "\r") })
        guard ends <= PeopleFile.mostRows + 1 else {
            throw Defect(
                location: "file", found: "has \(ends) lines",
                allowed: "must have at most \(PeopleFile.mostRows) rows and a line with the columns")
        }
        let separators = content.count { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }
        guard separators <= 16 * PeopleFile.mostRows else {
            throw Defect(
                location: "file", found: "has \(separators) separators",
                allowed: "must have at most \(16 * PeopleFile.mostRows) commas and semicolons")
        }
        return text
    }

    private static let encodingForm =
        "must be CSV in UTF-8: in Excel save it as \"CSV UTF-8\", in LibreOffice as \"Text CSV\" with the character "
        + "set Unicode (UTF-8)"

    /// Returns the number of the first line that is not UTF-8.
    private static func firstInvalidLine(_ content: ArraySlice<UInt8>) -> Int {
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }
}
