import OperatorText

/// Form that can have files (`multipart/form-data`, RFC 7578). Pure.
///
/// It accepts what browsers send, and nothing more: no text before the first part, lines that end with CR LF, no parts
/// within parts, no encoding of contents. The size of the whole is limited by the route.
package struct MultipartForm: Equatable, Sendable {
    /// File of a form.
    package struct File: Equatable, Sendable {
        /// Name without folders, for display alone.
        package var name: String
        package var bytes: [UInt8]
    }

    /// Values of fields that are no files.
    package var fields: [String: String] = [:]
    /// Chosen files by field.
    package var files: [String: File] = [:]
    /// Fields for files, also those for which no file was chosen.
    package var fileFields: Set<String> = []

    /// Maximum number of parts.
    static let mostParts = 20
    /// Maximum size of a field that is no file, in bytes.
    static let longestValue = 16_384
    static let longestFileName = 100

    package init(fields: [String: String] = [:]) { self.fields = fields }

    /// Parses a form.
    ///
    /// - Parameter contentType: value of the header field `Content-Type`, with the boundary.
    /// - Returns: `nil` if the form is damaged or incomplete, if a field is there twice or has a NUL, or if a limit is
    ///   exceeded.
    package static func parse(_ body: [UInt8], contentType: String) -> MultipartForm? {
        guard let boundary = boundary(in: contentType) else { return nil }
        var form = MultipartForm()
        // Each delimiter begins with the end of the line before it; the first one has none.
        let delimiter = Array("\r\n--\(boundary)".utf8)
        guard body.starts(with: delimiter.dropFirst(2)) else { return nil }
        var rest = body.dropFirst(delimiter.count - 2)
        for _ in 0...mostParts {
            if rest.starts(with: "--".utf8) { return isEnd(rest.dropFirst(2)) ? form : nil }
            guard rest.starts(with: lineEnd) else { return nil }
            guard let header = PartHeader(&rest), let end = firstIndex(of: delimiter, in: rest) else { return nil }
            guard form.fields[header.name] == nil, !form.fileFields.contains(header.name),
                form.add(header, rest[rest.startIndex..<end])
            else { return nil }
            rest = rest[(end + delimiter.count)...]
        }
        return nil
    }

    private mutating func add(_ header: PartHeader, _ content: ArraySlice<UInt8>) -> Bool {
        if let name = header.fileName {
            fileFields.insert(header.name)
            // Browsers send this if no file was chosen.
            if !name.isEmpty || !content.isEmpty {
                files[header.name] = File(name: Self.shown(name), bytes: Array(content))
            }
            return true
        }
        guard content.count <= Self.longestValue, let value = String(validating: content, as: UTF8.self),
            !value.utf8.contains(0)
        else { return false }
        fields[header.name] = value
        return true
    }

    static let lineEnd: [UInt8] = [13, 10]

    /// Whether nothing but a line end follows the last delimiter.
    private static func isEnd(_ rest: ArraySlice<UInt8>) -> Bool { rest.isEmpty || rest.elementsEqual(lineEnd) }

    /// Returns the first position of a delimiter, which begins with CR.
    private static func firstIndex(of delimiter: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        while let start = rest.firstIndex(of: 13) {
            rest = rest[start...]
            if rest.starts(with: delimiter) { return start }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Returns the boundary of a content type (RFC 2046, section 5.1.1).
    private static func boundary(in contentType: String) -> String? {
        let parts = contentType.split(separator: ";", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased().filter({ $0 != " " }) == "multipart/form-data",
            let boundary = HeaderParameters.parse(parts[1])?["boundary"], (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy(isBoundary), !boundary.hasSuffix(" ")
        else { return nil }
        return boundary
    }

    private static func isBoundary(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }

    /// Returns a file name for display: without folders, and on one line.
    private static func shown(_ name: String) -> String {
        // By scalars: a separator with a combining mark is another character.
        let last = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) } ?? ""
        // Browsers write these characters so.
        let decoded = last.replacing("%22", with: "\"").replacing("%0D", with: " ").replacing("%0A", with: " ")
        let words = decoded.split { $0.isWhitespace }.joined(separator: " ")
        return words.isEmpty ? "file" : words.shown(upTo: longestFileName)
    }
}
