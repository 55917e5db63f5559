import ArgumentParser
package import Logging

/// Loggers of the programs. Logs go to standard error; standard output is for results.
package enum ProgramLogger {
    package static func make(_ label: String, level: Logger.Level) -> Logger {
        var logger = Logger(label: label) { PrintableLogHandler(StreamLogHandler.standardError(label: $0)) }
        logger.logLevel = level
        return logger
    }

    /// Returns the log level that an option names.
    package static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError("must be one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return level
    }
}
