/// The formats of a gateway's state directory, and the steps from each to the next.
///
/// A format is the names and the contents of all files there. What an earlier program would misread or delete needs a
/// new format; what it ignores does not. A new schema of the outbox needs a new format too: only then does an earlier
/// program leave the directory alone.
package enum StateFormats {
    /// The format that this program writes.
    package static let current = 1
    /// Schema version of the outbox in the current format.
    package static let outboxSchema = 1

    /// A change of a directory that leaves nothing to do when it is repeated. A program that is killed in the middle
    /// repeats it at the next start.
    package enum Action: Equatable, Sendable {
        /// Renames a file. If there is none, the name was changed before.
        case rename(String, to: String)
        /// Removes a file that the new format does not have.
        case remove(String)
    }

    /// Changes that make a format from the one before. The file with the format is written after them.
    package struct Step: Equatable, Sendable {
        package var format: Int
        package var actions: [Action]

        package init(format: Int, actions: [Action]) {
            self.format = format
            self.actions = actions
        }
    }

    /// Format 0 is that of all directories without a file that says it. Its files are those of format 1.
    package static let steps = [Step(format: 1, actions: [])]

    /// What there is to do with a directory.
    package enum Finding: Equatable, Sendable {
        case current
        /// The steps to the current format; none are left out.
        case earlier([Step])
        /// A later program wrote it: it must not be changed.
        case later(StateFormat)
        /// The file with the format cannot be read. Later programs begin it as this one does: so its disk is damaged,
        /// and all steps are repeated.
        case damaged([Step])
    }

    /// Decides what there is to do with a directory.
    ///
    /// - Parameter contents: contents of the file with its format; `nil` if there is none.
    package static func finding(
        _ contents: String?, current: Int = current, steps: [Step] = steps
    ) -> Finding {
        guard let contents else { return .earlier(steps) }
        guard let format = StateFormat(contents) else { return .damaged(steps) }
        if format.number > current { return .later(format) }
        return format.number == current ? .current : .earlier(steps.filter { $0.format > format.number })
    }
}
