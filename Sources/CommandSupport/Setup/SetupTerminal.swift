import BeaconModel
import Glibc
package import OperatorText
package import Setup
import SystemIO

/// The terminal of a setup: what it says, and what somebody types.
package final class SetupTerminal: Sendable {
    /// Settings of the terminal while a secret is typed.
    private let hidden = LockedValue<termios?>(nil)
    private let width = min(Terminal.isInteractive ? Terminal.size.columns : 80, 100)

    package init() {}

    package func heading(_ text: String) throws {
        try Terminal.print("")
        try Terminal.print(text)
    }

    package func paragraph(_ text: String) throws {
        for line in DoctorText.wrap(text.shownInLines, first: "  ", rest: "  ", width: width) {
            try Terminal.print(line)
        }
    }

    package func line(_ text: String) throws { try Terminal.print(text.shownInLines) }

    /// Says what was found, and what to do about it.
    package func finding(_ finding: DoctorFinding) throws {
        for line in DoctorText.lines(finding, width: width, isColoured: Terminal.isColoured) {
            try Terminal.print(line)
        }
        for remedy in finding.remedies {
            if remedy.isEdit {
                for line in DoctorText.wrap(
                    "what to do: " + remedy.mends, first: "           ", rest: "             ", width: width)
                {
                    try Terminal.print(line)
                }
            } else {
                try Terminal.print("           " + remedy.command)
                for line in DoctorText.wrap(
                    remedy.mends, first: "             ", rest: "             ", width: width)
                {
                    try Terminal.print(line)
                }
            }
        }
    }

    /// Asks a question.
    ///
    /// - Returns: the line that was typed; `nil` when the input has ended.
    package func ask(_ question: SetupQuestion) async throws -> String? {
        try Terminal.write("  " + question.prompt.shownInLines)
        if question.form == .secret { hide() }
        let line = try await DedicatedThread.run(name: "question") { readLine() }
        if question.form == .secret {
            restore()
            try Terminal.print("")
        }
        if line == nil { try Terminal.print("") }
        return line
    }

    /// Asks for yes or no.
    ///
    /// - Returns: `nil` when the input has ended.
    package func isAgreed(_ text: String, proposal: Bool) async throws -> Bool? {
        let question = SetupQuestion("agreed", heading: "", text, form: .yesNo, proposal: proposal ? "yes" : "no")
        while let line = try await ask(question) {
            switch question.check(line) {
            case .accepted(let answer): return answer == "yes"
            case .refused(let found, let allowed): try paragraph("\(found); \(allowed)")
            }
        }
        return nil
    }

    /// Stops showing what is typed.
    private func hide() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        hidden.withLock { [settings] in $0 = settings }
        settings.c_lflag &= ~UInt32(ECHO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    /// Shows what is typed again, if it was hidden.
    package func restore() {
        guard var settings = hidden.withLock({ $0 }) else { return }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        hidden.withLock { $0 = nil }
    }
}
