/// A position in a text file. Lines and columns begin at 1; columns count characters.
package struct TextPosition: Equatable, Sendable, CustomStringConvertible {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Line and column as compilers write them after the name of a file: `14:9`.
    package var description: String { "\(line):\(column)" }
}
