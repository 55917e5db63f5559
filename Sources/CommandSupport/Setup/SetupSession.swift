import BeaconModel
import Glibc
package import OperatorText
package import Setup
import SystemIO
import UnixSignals

/// A setup at work: the interview, what is written after it, and Ctrl-C in between.
package struct SetupSession: Sendable {
    package let terminal = SetupTerminal()
    private let phase = LockedValue(Phase.asking)

    private enum Phase: Sendable {
        case asking
        /// Files are being replaced: that is brought to its end.
        case writing
        /// Everything is written, and the result is examined.
        case examining
    }

    package init() {}

    /// Runs `body`. Until something is written, Ctrl-C ends the program and leaves everything as it was.
    package func untilInterrupted(_ body: () async throws -> Void) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        let watch = Task { [terminal, phase] in
            for await _ in signals {
                switch phase.withLock({ $0 }) {
                case .writing: Terminal.note("\nending when everything is written")
                case .asking:
                    terminal.restore()
                    Terminal.note("\ninterrupted; nothing was changed")
                    // Nobody can end the thread that waits for a line. 130 is what shells report after Ctrl-C.
                    exit(130)
                case .examining:
                    Terminal.note("\ninterrupted; everything is written")
                    exit(130)
                }
            }
        }
        defer { watch.cancel() }
        try await body()
    }

    /// Holds Ctrl-C back while `body` writes.
    package func writing<Value>(_ body: () async throws -> Value) async throws -> Value {
        phase.withLock { $0 = .writing }
        defer { phase.withLock { $0 = .examining } }
        return try await body()
    }

    /// Asks all questions and makes all tests.
    ///
    /// - Parameter test: makes a test; returns what it found.
    /// - Throws: `SetupFailure`.
    package func run<Script: SetupScript>(
        _ interview: SetupInterview<Script>,
        test: (Script.Test, SetupInterview<Script>) async throws -> ([DoctorFinding], Script.Knowledge?)
    ) async throws -> SetupInterview<Script> {
        var interview = interview
        var effects = interview.handle(.started)
        while true {
            var next: SetupInterview<Script>.Event?
            for effect in effects {
                switch effect {
                case .say(let saying): try say(saying)
                case .ask(let question): next = try await terminal.ask(question).map { .typed($0) } ?? .inputEnded
                case .test(let test_):
                    Terminal.progress(test_.progress)
                    let (findings, knowledge) = try await test(test_, interview)
                    Terminal.progress(nil)
                    next = .tested(findings, knowledge)
                case .finished: return interview
                case .failed(let failure): throw failure
                }
            }
            guard let next else { throw SetupFailure.stopped }
            effects = interview.handle(next)
        }
    }

    private func say<Script>(_ saying: SetupInterview<Script>.Saying) throws {
        switch saying {
        case .heading(let text): try terminal.heading(text)
        case .paragraph(let text): try terminal.paragraph(text)
        case .line(let text): try terminal.line(text)
        case .answer(let question, let answer, let source):
            try terminal.line("  \(question): \(answer)  (\(source.rawValue))")
        case .refused(let found, let allowed): try terminal.paragraph("\(found); \(allowed)")
        case .finding(let finding): try terminal.finding(finding)
        }
    }

    /// Reads an answers file.
    ///
    /// - Throws: `ConfigurationError`, `UnreadableAnswers`.
    package static func answers(_ path: String?, keys: [String], tests: [String]) throws -> AnswersFile {
        guard let path else { return AnswersFile() }
        let text = try text(path)
        var file = try AnswersFile.parse(text, path: path, keys: keys, tests: tests)
        // A secret in a file of its own.
        for key in keys where key.hasSuffix("-file") && keys.contains(String(key.dropLast("-file".count))) {
            guard let named = file.answers.removeValue(forKey: key), named != "none" else { continue }
            let contents = try Self.text(ConfiguredPath.resolve(named, in: path))
            file.answers[String(key.dropLast("-file".count))] = String(contents.prefix { !$0.isNewline })
        }
        return file
    }

    private static func text(_ path: String) throws -> String {
        do throws(SystemError) {
            return String(decoding: try FileContents.read(path, limit: 1024 * 1024), as: UTF8.self)
        } catch {
            throw UnreadableAnswers(error: error)
        }
    }
}

/// A file of answers cannot be read.
struct UnreadableAnswers: OperatorError {
    var error: SystemError

    var what: String { error.what }
    var meaning: String? { "nothing was changed" }
    var remedy: String? { "specify a TOML file with --answers; docs/guide/install.md shows one" }
    var exitStatus: ExitStatus { .inputOutput }
}
