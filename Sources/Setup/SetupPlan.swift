import OperatorText

/// What a setup changes, after all questions are answered.
package struct SetupPlan: Equatable, Sendable {
    package struct File: Equatable, Sendable {
        package enum Kind: Equatable, Sendable {
            /// The configuration. The file that it replaces is kept under another name.
            case configuration
            /// A password: readable by its owner and the service's group.
            case secret
            /// A file that all users can read.
            case publicFile
        }

        package var path: String
        package var contents: String
        package var kind: Kind

        package init(path: String, contents: String, kind: Kind) {
            self.path = path
            self.contents = contents
            self.kind = kind
        }
    }

    /// A program that is run after the files are written.
    package struct Command: Equatable, Sendable {
        package var arguments: [String]
        /// What it does, after "to".
        package var purpose: String
        /// Whether nothing is changed if it fails.
        package var isEssential: Bool

        package init(_ arguments: [String], to purpose: String, isEssential: Bool = false) {
            self.arguments = arguments
            self.purpose = purpose
            self.isEssential = isEssential
        }
    }

    package var files: [File] = []
    package var commands: [Command] = []
    /// Lines of the configuration that change.
    package var difference: [String] = []
    /// Reason why the configuration cannot be edited; its new text is then written beside it.
    package var obstacle: String?

    package init() {}

    package var isEmpty: Bool { files.isEmpty && commands.isEmpty }

    /// Returns the configuration's text after the changes, or one with only what setup asks for, and why.
    static func edited(
        _ present: PresentConfiguration, _ edits: [ConfigurationEdit], fresh: [ConfigurationEdit], notes: [String]
    ) -> (text: String, obstacle: String?) {
        var editor = present.editor
        for edit in edits {
            do {
                try edit.apply(to: &editor)
            } catch {
                var new = PresentConfiguration.new(notes).editor
                for edit in fresh { try? edit.apply(to: &new) }
                return (
                    new.text,
                    "\(error.path.joined(separator: ".")) cannot be changed without changing other parts of the file"
                )
            }
        }
        return (editor.text, nil)
    }
}
