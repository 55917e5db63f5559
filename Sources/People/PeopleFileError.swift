package import BeaconModel
package import OperatorText

/// Error that lists the problems of a file of people.
package struct PeopleFileError: OperatorError, Equatable {
    package var path: String
    /// The first problems, in the order in which they were found.
    package var problems: [ConfigurationProblem]
    /// Number of problems that are not listed.
    package var others: Int

    /// Maximum number of problems that are listed: a file can have one in each row.
    package static let mostListed = 50

    package init(path: String, problems: [ConfigurationProblem], others: Int = 0) {
        self.path = path
        self.problems = problems
        self.others = others
    }

    package var what: String {
        let count = problems.count + others
        var lines = ["\(path.shown(upTo: 4096)) has \(count) \(count == 1 ? "problem" : "problems")"]
        lines += problems.map { "  " + $0.line(in: path) }
        if others > 0 { lines.append("  and \(others) more") }
        return lines.joined(separator: "\n")
    }
    package var meaning: String? { "nothing was imported" }
    package var remedy: String? {
        "correct the source data and export it again; docs/guide/matcher/people.md shows a complete file"
    }
    package var exitStatus: ExitStatus { .data }
}
