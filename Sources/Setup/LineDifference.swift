/// The difference between two texts, line by line.
package enum LineDifference {
    /// Returns the lines that differ, after `-` and `+`, with the lines around them; none for equal texts.
    ///
    /// - Parameter context: number of lines that are shown before and after a change.
    package static func lines(from old: String, to new: String, context: Int = 2) -> [String] {
        let before = split(old)
        let after = split(new)
        let difference = after.difference(from: before)
        guard !difference.isEmpty else { return [] }
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var all: [(mark: Character, line: String)] = []
        var (left, right) = (0, 0)
        while left < before.count || right < after.count {
            if removed.contains(left) {
                all.append(("-", before[left]))
                left += 1
            } else if inserted.contains(right) {
                all.append(("+", after[right]))
                right += 1
            } else {
                all.append((" ", after[right]))
                left += 1
                right += 1
            }
        }
        var near: Set<Int> = []
        for index in all.indices where all[index].mark != " " {
            near.formUnion(max(0, index - context)...min(all.count - 1, index + context))
        }
        var shown: [String] = []
        var last: Int?
        for index in near.sorted() {
            if let last, index > last + 1 { shown.append("  ...") }
            shown.append("\(all[index].mark) \(all[index].line)")
            last = index
        }
        return shown
    }

    private static func split(_ text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
