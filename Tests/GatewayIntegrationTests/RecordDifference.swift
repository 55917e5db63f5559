/// The first line in which a replay's records differ from those that are checked in.
struct RecordDifference: Equatable, CustomStringConvertible {
    var name: String
    /// From 1.
    var line: Int
    /// `nil`: there are fewer.
    var expected: String?
    var found: String?

    /// `nil` when nothing differs.
    init?(expected: [String], found: [String], in name: String) {
        let lines = max(expected.count, found.count)
        func line(_ index: Int, of lines: [String]) -> String? { lines.indices.contains(index) ? lines[index] : nil }
        guard let index = (0..<lines).first(where: { line($0, of: expected) != line($0, of: found) }) else {
            return nil
        }
        self.name = name
        self.line = index + 1
        self.expected = line(index, of: expected)
        self.found = line(index, of: found)
    }

    var description: String {
        """
        Golden/\(name).jsonl differs first in line \(line):
          expected \(expected ?? "(no such line)")
          found    \(found ?? "(no such line)")
        If that is meant: `make golden`, and review the difference as code.
        """
    }
}
