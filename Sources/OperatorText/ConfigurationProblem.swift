package import BeaconModel

/// One problem in a configuration or inventory file.
package struct ConfigurationProblem: Equatable, Sendable, CustomStringConvertible {
    /// Place of the problem: the path of a key, `modules[1].major`, or the cell of a table: `row 7 (door), column
    /// major`. Empty if there is only a position.
    package var location: String
    /// Position of the key in the file, if the file is TOML and the key or its table is there.
    package var position: TextPosition?
    package var found: String
    package var allowed: String
    /// Path of the file with the problem, if that is a file named by the one being read.
    package var file: String?

    package init(
        location: String = "", position: TextPosition? = nil, found: String, allowed: String, file: String? = nil
    ) {
        self.location = location
        self.position = position
        self.found = found
        self.allowed = allowed
        self.file = file
    }

    /// The problem in one line without its file and position, and without terminal control characters: keys and values
    /// contain text from the file.
    package var description: String {
        (location.isEmpty ? "" : location.shown(upTo: Self.longestPart) + ": ")
            + "\(found.shown(upTo: Self.longestPart)); \(allowed.shown(upTo: 2 * Self.longestPart))"
    }

    /// The problem in one line after its file and position: `gateway.toml:14:1: place.site: is missing; ...`.
    ///
    /// - Parameter path: the file with the problem, unless the problem names another.
    package func line(in path: String) -> String {
        Self.shown(file ?? path) + (position.map { ":\($0)" } ?? "") + ": \(self)"
    }

    /// Maximum length of a part in Unicode scalars. The allowed values, which can be a list of keys, may have twice as
    /// many.
    private static let longestPart = 1000

    /// Maximum number of problems listed. The others are only counted: a table can have a problem in each row.
    private static let mostListed = 100

    /// Returns the number of problems in `path`, and one line for each.
    ///
    /// - Parameter others: number of further problems, which were only counted.
    package static func list(_ problems: [ConfigurationProblem], in path: String, others: Int = 0) -> String {
        let all = problems.count + others
        let count = all == 1 ? "1 problem" : "\(all) problems"
        var files: [String] = []
        for problem in problems where !files.contains(problem.file ?? path) { files.append(problem.file ?? path) }
        let have = files.count > 1 ? "have" : "has"
        var lines = ["\(files.map(shown).joined(separator: " and ")) \(have) \(count)"]
        lines += problems.prefix(mostListed).map { "  " + $0.line(in: path) }
        let unlisted = all - min(problems.count, mostListed)
        if unlisted > 0 { lines.append("  and \(unlisted) more") }
        return lines.joined(separator: "\n")
    }

    /// Returns the path of a file, which another file may have named. No path is longer than 4096 characters.
    private static func shown(_ path: String) -> String { path.shown(upTo: 4096) }
}

/// All problems of a configuration file.
package struct ConfigurationError: OperatorError {
    package var path: String
    package var problems: [ConfigurationProblem]

    package init(path: String, problems: [ConfigurationProblem]) {
        self.path = path
        self.problems = problems
    }

    package var what: String { ConfigurationProblem.list(problems, in: path) }
    package var meaning: String? { "nothing was started" }
    package var remedy: String? { "correct the file; docs/guide shows a complete one" }
    package var exitStatus: ExitStatus { .configuration }
}
