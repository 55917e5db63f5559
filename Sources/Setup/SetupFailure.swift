package import BeaconModel
package import OperatorText

/// The reason why a setup ends without changing anything.
package enum SetupFailure: OperatorError, Equatable {
    /// Nobody can be asked, and the answers file does not answer this.
    case missing(String, String)
    /// Answers of this file are not allowed.
    case wrongAnswers([ConfigurationProblem], file: String)
    case testFailed(String, [DoctorFinding])
    /// Somebody wanted to stop.
    case stopped
    /// The terminal was closed while the question of this key was asked.
    case inputEnded(String)

    package var what: String {
        switch self {
        case .missing(let key, let text): "there is no answer for \(key) (\(text))"
        case .wrongAnswers(let problems, let file): ConfigurationProblem.list(problems, in: file)
        case .testFailed(let test, let findings):
            "the test \(test) failed: "
                + findings.map(\.found).joined(separator: "; ")
        case .stopped: "stopped"
        case .inputEnded(let key): "the input ended at the question for \(key)"
        }
    }

    package var meaning: String? { "nothing was changed" }

    package var remedy: String? {
        switch self {
        case .missing(let key, _):
            "run setup in a terminal, or add the answer to the file of --answers: \(Self.line(key))"
        case .wrongAnswers(_, let file): "correct \(file), and run setup again"
        case .testFailed(let test, let findings):
            (findings.flatMap(\.remedies).map { $0.isEdit ? Self.alone($0.mends) : "\($0.command) (\($0.mends))" }
                + ["to go on all the same, write keep-anyway = [\"\(test)\"] into the file of --answers"])
                .joined(separator: "; or ")
        case .stopped, .inputEnded: "run setup again"
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .missing: .usage
        case .wrongAnswers: .data
        case .testFailed(_, let findings): findings.first?.exitStatus ?? .unavailable
        case .stopped, .inputEnded: .negative
        }
    }

    /// Returns a remedy without the "or" that it begins with in a list of several.
    private static func alone(_ mends: String) -> String {
        for word in ["or, ", "or "] where mends.hasPrefix(word) { return String(mends.dropFirst(word.count)) }
        return mends
    }

    /// The line of an answers file for a key.
    private static func line(_ key: String) -> String {
        let parts = key.split(separator: ".", maxSplits: 1)
        return parts.count == 2 ? "[\(parts[0])] \(parts[1]) = ..." : "\(key) = ..."
    }
}
