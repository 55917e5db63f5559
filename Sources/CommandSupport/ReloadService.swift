import BeaconModel
package import Logging
import OperatorText
package import Publishing
import ServiceLifecycle
package import UnixSignals

/// The outcome of a configuration reload.
package struct ReloadOutcome: Equatable, Sendable {
    /// Applied changes, by tables and keys of the configuration.
    package var reloaded: [String]
    /// Changes that take effect only after a restart.
    package var needsRestart: [String]
    /// Warnings about applied settings that help an attacker.
    package var warnings: [ConfigurationWarning]

    package init(reloaded: [String], needsRestart: [String], warnings: [ConfigurationWarning] = []) {
        self.warnings = warnings
        self.reloaded = reloaded
        self.needsRestart = needsRestart
    }
}

extension ReloadOutcome {
    package func log(to logger: Logger) {
        let metadata: Logger.Metadata = ["reloaded": "\(reloaded.joined(separator: ", "))"]
        for warning in warnings {
            logger.warning("unsafe setting", metadata: ["setting": "\(warning.text)"])
        }
        if needsRestart.isEmpty {
            logger.notice("configuration reloaded", metadata: metadata)
        } else {
            logger.warning(
                "configuration reloaded, some changes need a restart",
                metadata: metadata.merging(["needs-restart": "\(needsRestart.joined(separator: ", "))"]) { $1 })
        }
    }
}

/// The problems for which a configuration was rejected.
package struct RejectedConfiguration: Equatable, Sendable {
    /// One line for each problem, with file and position where they are known.
    package var problems: [String]

    package init(_ error: any Error) {
        problems =
            if let error = error as? ConfigurationError {
                error.problems.map { $0.line(in: error.path) }
            } else {
                [error.inOneLine]
            }
    }

    package func log(to logger: Logger) {
        logger.error(
            "configuration rejected, keeping the previous one",
            metadata: ["error": "\(problems.joined(separator: "; "))"])
    }
}

/// Reloads the configuration at each SIGHUP. A configuration with problems is refused as a whole.
package struct ReloadService: Service, CustomStringConvertible {
    private let signals: UnixSignalsSequence
    private let announcer: ServiceAnnouncer?
    private let logger: Logger
    private let reload: @Sendable () async throws -> ReloadOutcome

    package var description: String { "ReloadService" }

    /// - Parameters:
    ///   - signals: SIGHUP signals, trapped since before the configuration was first read.
    ///   - announcer: tells the service manager of each reload; `nil`: nobody is told.
    ///   - reload: reads the configuration and applies the changes that it can.
    package init(
        signals: UnixSignalsSequence, announcer: ServiceAnnouncer? = nil, logger: Logger,
        reload: @escaping @Sendable () async throws -> ReloadOutcome
    ) {
        self.signals = signals
        self.announcer = announcer
        self.logger = logger
        self.reload = reload
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in signals {
                if let announcer { await announcer.reloading { await reloadOnce() } } else { await reloadOnce() }
            }
        }
    }

    private func reloadOnce() async {
        do {
            try await reload().log(to: logger)
        } catch {
            RejectedConfiguration(error).log(to: logger)
        }
    }
}
