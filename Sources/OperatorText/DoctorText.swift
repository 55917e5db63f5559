/// Findings as lines for a terminal.
package enum DoctorText {
    /// Width of the second column: the length of the longest path name.
    private static let subjectWidth = 12

    /// Returns the lines of a finding.
    ///
    /// - Parameters:
    ///   - width: line width in characters; a longer word is never broken.
    ///   - isColoured: whether to colour the severity label.
    package static func lines(_ finding: DoctorFinding, width: Int, isColoured: Bool) -> [String] {
        let mark = finding.severity.mark
        let padding = String(repeating: " ", count: max(0, subjectWidth - finding.subject.count))
        let head = "\(mark)  \(finding.subject)\(padding)  "
        let indentation = String(repeating: " ", count: head.count)
        var lines = wrap(finding.found, first: head, rest: indentation, width: width)
        if isColoured, let first = lines.first {
            lines[0] = colour(finding.severity) + mark + "\u{1B}[0m" + first.dropFirst(mark.count)
        }
        return lines
    }

    /// Wraps text at spaces, and at its own line ends.
    package static func wrap(_ text: String, first: String, rest: String, width: Int) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = lines.isEmpty ? first : rest
            var isEmpty = true
            for word in paragraph.split(separator: " ") {
                if !isEmpty, line.count + 1 + word.count > width {
                    lines.append(line)
                    line = rest
                    isEmpty = true
                }
                line += (isEmpty ? "" : " ") + word
                isEmpty = false
            }
            lines.append(line)
        }
        return lines
    }

    private static func colour(_ severity: DoctorFinding.Severity) -> String {
        switch severity {
        case .ok: "\u{1B}[32m"
        case .warning: "\u{1B}[33m"
        case .failed: "\u{1B}[1;31m"
        case .skipped: "\u{1B}[2m"
        }
    }
}
