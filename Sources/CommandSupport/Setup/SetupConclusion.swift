package import BeaconModel
import OperatorText
package import Setup

/// The end of a setup: shows what changes, asks once more, and writes it.
package struct SetupConclusion {
    private let session: SetupSession
    private let plan: SetupPlan
    private let path: String
    private let isDryRun: Bool

    package init(session: SetupSession, plan: SetupPlan, path: String, isDryRun: Bool) {
        self.session = session
        self.plan = plan
        self.path = path
        self.isDryRun = isDryRun
    }

    /// - Parameters:
    ///   - group: name of the service's group.
    ///   - check: throws `ConfigurationError` if the new configuration has mistakes.
    /// - Returns: whether there is something to examine; `false` for a trial.
    package func write(
        group: String, time: Timestamp, check: (String) throws -> Void
    ) async throws -> Bool {
        let terminal = session.terminal
        if plan.isEmpty {
            try terminal.heading("Nothing changes: \(path) is as answered.")
            return !isDryRun
        }
        if let text = plan.files.first(where: { $0.kind == .configuration })?.contents {
            do {
                try check(text)
            } catch let error as ConfigurationError {
                throw AnswersInvalid(error: error)
            }
        }
        try terminal.heading("Changes")
        if let obstacle = plan.obstacle {
            try terminal.paragraph(
                "\(obstacle). A configuration with these answers is written to \(path).new. It differs in these "
                    + "lines; transfer them by hand.")
        }
        if !plan.difference.isEmpty { try terminal.line("  \(path):") }
        for line in plan.difference { try terminal.line("    \(line)") }
        for file in plan.files where file.kind != .configuration { try terminal.line("  writes \(file.path)") }
        for command in plan.commands {
            try terminal.line("  runs   \(command.arguments.map(ShellWord.quote).joined(separator: " "))")
        }
        if isDryRun {
            try terminal.line("nothing was changed: --dry-run")
            return false
        }
        if Terminal.canAsk, try await terminal.isAgreed("Do this", proposal: true) != true {
            throw SetupFailure.stopped
        }
        try await session.writing {
            try await SetupApplication(plan, group: group, time: time).run { try terminal.line($0) }
        }
        return plan.obstacle == nil
    }
}

/// The answers fit together with the rest of the file as no configuration.
struct AnswersInvalid: OperatorError {
    var error: ConfigurationError

    var what: String { error.what }
    var meaning: String? { "with these answers the file would have mistakes; nothing was changed" }
    var remedy: String? { "answer differently, or correct the other keys of the file first" }
    var exitStatus: ExitStatus { .configuration }
}
