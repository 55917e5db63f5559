/// Answers by their keys.
package struct SetupAnswers: Equatable, Sendable {
    private var values: [String: String] = [:]

    package init(_ values: [String: String] = [:]) { self.values = values }

    package subscript(key: String) -> String? {
        get { values[key] }
        set { values[key] = newValue }
    }

    /// Returns an answer; `nil` if it is "none" too.
    package func given(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    package func isYes(_ key: String) -> Bool { values[key] == "yes" }

    /// Returns the parts of an answer that is a list.
    package func list(_ key: String) -> [String] { values[key]?.listed ?? [] }
}

extension String {
    /// The parts between commas and blanks.
    package var listed: [String] { split { $0 == "," || $0.isWhitespace }.map(String.init) }

    package var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
