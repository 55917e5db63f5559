import ArgumentParser
package import BeaconModel
import Glibc
package import OperatorText
import ServiceManager
import SystemIO

/// Standard output and standard error of a command.
package enum Terminal {
    /// Whether standard output is a terminal.
    package static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard output is coloured (no-color.org).
    package static var isColoured: Bool { isInteractive && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true) }

    /// Whether the user can be asked a question.
    package static var canAsk: Bool { isInteractive && isatty(STDIN_FILENO) == 1 }

    /// Size of standard output in characters; 24 lines of 80 if it is unknown.
    package static var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 1 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Maximum width of tables on standard output, in characters; `nil` if it is not a terminal.
    package static var tableWidth: Int? { isInteractive ? size.columns : nil }

    /// Prints a line.
    ///
    /// - Throws: `OutputClosed` if the output has no reader any more.
    package static func print(_ text: String) throws(OutputClosed) { try write(text + "\n") }

    /// Prints a table, which is as wide as the terminal at most.
    package static func print(_ table: TextTable) throws(OutputClosed) {
        for line in table.lines(width: tableWidth) { try print(line) }
    }

    /// Prints a line of JSON in which terminal control characters are escaped.
    package static func print(_ json: [UInt8]) throws(OutputClosed) {
        try write(json.terminalJSON + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }

    package static func write(_ text: String) throws(OutputClosed) { try write(Array(text.utf8)) }

    package static func write(_ bytes: [UInt8]) throws(OutputClosed) { try write(bytes, to: STDOUT_FILENO) }

    /// Writes a note to the user on standard error. Terminal control characters are shown as question marks.
    package static func note(_ text: String) {
        try? write(Array((text.shownInLines + "\n").utf8), to: STDERR_FILENO)
    }

    /// Asks the user at the terminal; only `yes` in full is consent.
    ///
    /// - Parameter deed: the text that follows `Type yes to`.
    package static func isAgreed(_ deed: String) async throws -> Bool {
        try write("Type yes to \(deed): ")
        return try await DedicatedThread.run(name: "question") { readLine() } == "yes"
    }

    /// Shows progress in place if standard error is a terminal; `nil` clears it.
    package static func progress(_ text: String?) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        try? write(Array(("\r\u{1B}[K" + (text ?? "")).utf8), to: STDERR_FILENO)
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) throws(OutputClosed) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw OutputClosed(error: SystemError("write the output", errorNumber: errno))
            }
        }
    }

    /// Runs a command's body. An error is printed on standard error and becomes the exit status.
    package static func run(_ body: () async throws -> Void) async throws {
        // A closed reader is reported by the write, and not by a signal that ends the process without clean-up.
        signal(SIGPIPE, SIG_IGN)
        // If the process was started with one of them closed, the next file opened would take its number.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
        do {
            try await body()
        } catch let error as ExitCode {
            throw error
        } catch let error as OutputClosed {
            // The reader, such as `| head`, has read enough.
            if error.error.errorNumber == EPIPE { return }
            try fail(error.error)
        } catch let error as any OperatorError {
            try fail(error)
        } catch is CancellationError {
            return
        }
    }

    private static func fail(_ error: any OperatorError) throws -> Never {
        let text = "error: \(error)"
        // The journal takes the priority of each line from its beginning: sd-daemon(3).
        note(
            SystemJournal.takesStandardError
                ? text.split(separator: "\n").map { "<3>\($0)" }.joined(separator: "\n") : text)
        throw ExitCode(error.exitStatus.rawValue)
    }
}

/// Standard output can no longer be written.
package struct OutputClosed: Error {
    package var error: SystemError
}
