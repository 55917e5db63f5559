import OperatorText

/// The format of a gateway's state directory, as its file `state-format` says it:
/// `format 1, written by beacon-gateway 0.2.0`.
///
/// Each format's file begins like this, so that an earlier program can tell what it has found.
package struct StateFormat: Equatable, Sendable {
    package static let fileName = "state-format"
    /// Maximum length of the file in bytes.
    package static let longest = 256

    package var number: Int
    /// Version of the program that wrote the directory.
    package var program: String

    package init(number: Int, program: String) {
        self.number = number
        self.program = program
    }

    /// Reads the contents of the file; `nil` if they are damaged.
    package init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, words[0] == "format" else { return nil }
        let digits = words[1].prefix { $0 != "," }
        guard digits.utf8.count <= 9, let number = Int(digits), number > 0 else { return nil }
        self.number = number
        program = words.count >= 6 ? words[5].shown(upTo: 40) : "of unknown version"
    }

    /// Contents of the file.
    package var text: String { "format \(number), written by beacon-gateway \(program)\n" }
}
