/// MQTT topic filters (MQTT 5.0, section 4.7).
package enum TopicFilter {
    /// Returns what is wrong with a filter; `nil` if it is valid.
    package static func problem(in filter: String) -> String? {
        let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
        if filter.isEmpty { return "is empty" }
        if filter.utf8.count > 65_535 { return "is longer than 65535 bytes" }
        if filter.utf8.contains(0) { return "contains a NUL character" }
        if levels.dropLast().contains(where: { $0.contains("#") }) { return "has a # before its end" }
        if levels.contains(where: { $0.count > 1 && ($0.contains("#") || $0.contains("+")) }) {
            return "has a # or + that is not a whole level"
        }
        return nil
    }

    /// Whether some topic matches both filters.
    package static func overlap(_ one: String, _ other: String) -> Bool {
        let one = one.split(separator: "/", omittingEmptySubsequences: false)
        let other = other.split(separator: "/", omittingEmptySubsequences: false)
        for index in 0...max(one.count, other.count) {
            let left = index < one.count ? one[index] : nil
            let right = index < other.count ? other[index] : nil
            // `#` also matches the level above it.
            if left == "#" || right == "#" { return true }
            guard let left, let right else { return left == nil && right == nil }
            if left != "+", right != "+", left != right { return false }
        }
        return true
    }
}
