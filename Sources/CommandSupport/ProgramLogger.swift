import ArgumentParser
package import Logging
import ServiceManager

/// Loggers of the programs. Logs go to standard error, or to the journal if standard error does; standard output is for
/// results.
package enum ProgramLogger {
    package static func make(_ label: String, level: Logger.Level) -> Logger {
        var logger = Logger(label: label) { handler($0) }
        logger.logLevel = level
        return logger
    }

    /// Returns the logger of a program whose level can be changed while it runs.
    package static func make(_ label: String, log: ProgramLog) -> Logger {
        Logger(label: label) { RememberingLogHandler(handler($0), log: log) }
    }

    private static func handler(_ label: String) -> any LogHandler {
        let lines = PrintableLogHandler(StreamLogHandler.standardError(label: label))
        guard SystemJournal.takesStandardError else { return lines }
        return JournalLogHandler(label: label, fallback: lines) { SystemJournal.send($0) }
    }

    /// Returns the log level that an option names.
    package static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError("must be one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return level
    }
}
