package import BeaconModel
import Glibc
package import OperatorText
package import Setup
import SystemIO

/// The configuration file that a setup reads and replaces.
package struct PresentFile: Sendable {
    package var path: String

    package init(path: String) { self.path = path }

    /// Checks in advance that the file can be written, so that nobody answers questions in vain.
    ///
    /// - Throws: `ConfigurationNotWritable`.
    package func checkWritable() throws(ConfigurationNotWritable) {
        do throws(SystemError) {
            try FileContents.checkReplaceable(path)
        } catch {
            throw ConfigurationNotWritable(path: path, error: error, isRoot: geteuid() == 0)
        }
    }

    /// Reads the file.
    ///
    /// - Parameter check: throws `ConfigurationError` for a text with mistakes.
    /// - Returns: the values of the file, or why they cannot be used; `nil` if there is no file.
    package func read(
        check: (String) throws -> Void
    ) throws -> Result<PresentConfiguration, ConfigurationError>? {
        guard access(path, F_OK) == 0 else { return nil }
        do {
            let text = try ConfigurationFile.text(path)
            try check(text)
            return .success(PresentConfiguration(editor: try TOMLEditor(text)))
        } catch let error as ConfigurationError {
            return .failure(error)
        } catch let error as TOMLError {
            return .failure(
                ConfigurationError(
                    path: path,
                    problems: [
                        ConfigurationProblem(
                            position: error.position, found: error.mistake.found, allowed: error.mistake.allowed)
                    ]))
        }
    }

    /// Reads the file, and asks whether one with mistakes is replaced.
    ///
    /// - Throws: `ConfigurationError` if it is not.
    package func present(
        notes: [String], session: SetupSession, check: (String) throws -> Void
    ) async throws -> PresentConfiguration {
        switch try read(check: check) {
        case nil: return .new(notes)
        case .success(let present): return present
        case .failure(let error):
            guard Terminal.canAsk else { throw PresentFileInvalid(error: error) }
            for line in error.what.split(separator: "\n") { try session.terminal.line(String(line)) }
            let question = "Begin anew (the present file is kept under another name)"
            guard try await session.terminal.isAgreed(question, proposal: false) == true else {
                throw PresentFileInvalid(error: error)
            }
            return .new(notes)
        }
    }
}

/// The present configuration has mistakes.
package struct PresentFileInvalid: OperatorError {
    package var error: ConfigurationError

    package var what: String { error.what }
    package var meaning: String? { "setup cannot read the present values; nothing was changed" }
    package var remedy: String? {
        "correct the file, or move it away and run setup again: sudo mv \(ShellWord.quote(error.path)) "
            + "\(ShellWord.quote(error.path + ".old"))"
    }
    package var exitStatus: ExitStatus { .configuration }
}

/// The configuration cannot be written by this user.
package struct ConfigurationNotWritable: OperatorError {
    package var path: String
    package var error: SystemError
    package var isRoot: Bool

    package var what: String { error.what }
    package var meaning: String? { "the configuration could not be written at the end; nothing was changed" }
    package var remedy: String? {
        switch error.errorNumber {
        case EACCES where !isRoot: "run setup with sudo, or write another file with --config FILE"
        case ENOENT: "create its directory, which the package creates too: sudo install -d DIRECTORY"
        case EROFS: "mount the file system for writing, or write another file with --config FILE"
        default: "write another file with --config FILE"
        }
    }
    package var exitStatus: ExitStatus { error.errorNumber == EACCES ? .permission : .inputOutput }
}
