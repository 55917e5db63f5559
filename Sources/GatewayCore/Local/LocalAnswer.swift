/// Answers of the gateway's local socket, besides `LocalStatus`.
package enum LocalAnswer {
    /// A command was carried out.
    package struct Done: Codable, Equatable, Sendable {
        package var text: String

        package init(text: String) { self.text = text }
    }

    /// The configuration was reloaded.
    package struct Reloaded: Codable, Equatable, Sendable {
        /// Tables that took effect.
        package var reloaded: [String]
        /// Changed tables that take effect after a restart.
        package var needsRestart: [String]
        /// Settings that help an attacker.
        package var warnings: [String]

        package init(reloaded: [String], needsRestart: [String], warnings: [String]) {
            self.reloaded = reloaded
            self.needsRestart = needsRestart
            self.warnings = warnings
        }
    }

    package struct LogLevel: Codable, Equatable, Sendable {
        /// Level at present.
        package var level: String
        /// Level after a restart.
        package var initial: String

        package init(level: String, initial: String) {
            self.level = level
            self.initial = initial
        }
    }

    /// The request was not carried out.
    package struct Refusal: Codable, Equatable, Sendable {
        /// Name of the reason, for programs.
        package var error: String
        /// The reason as a sentence.
        package var text: String
        /// Problems of a configuration, one line each.
        package var problems: [String]?

        package init(error: String, text: String, problems: [String]? = nil) {
            self.error = error
            self.text = text
            self.problems = problems
        }
    }
}
