package import OperatorText

/// The values of a configuration file that exists already.
package struct PresentConfiguration: Sendable {
    package var editor: TOMLEditor
    /// Whether there is a file.
    package var exists: Bool

    package init(editor: TOMLEditor, exists: Bool = true) {
        self.editor = editor
        self.exists = exists
    }

    /// A configuration that is to be written.
    ///
    /// - Parameter notes: lines of a comment at the beginning.
    package static func new(_ notes: [String]) -> PresentConfiguration {
        PresentConfiguration(editor: TOMLEditor(comment: notes), exists: false)
    }

    /// Returns a value as an answer; `nil` if it is missing, or is no value that setup asks for.
    package func answer(_ path: String...) -> String? {
        switch editor.value(at: path) {
        case .string(let text): return text
        case .integer(let number): return "\(number)"
        case .boolean(let isTrue): return isTrue ? "yes" : "no"
        case .array(let nodes):
            return nodes.compactMap { if case .string(let text) = $0.value { text } else { nil } }
                .joined(separator: ", ")
        default: return nil
        }
    }

    package func has(_ path: String...) -> Bool { editor.value(at: path) != nil }
}
