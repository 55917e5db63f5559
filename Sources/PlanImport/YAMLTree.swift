import CYAML
package import FloorPlans
package import OperatorText

/// Reader for the YAML of other programs, by libyaml.
package enum YAMLTree {
    /// Limits of what is read, so that time, memory, and stack are bounded for any text.
    package enum Limits {
        package static let bytes = PlanLimits.bytes
        package static let depth = 32
        package static let nodes = 200_000
        package static let scalar = 65_536
    }

    /// Parses the first document of a text.
    ///
    /// Aliases are refused: a few lines with aliases can stand for more values than fit into memory.
    ///
    /// - Parameter path: the path that is given in reported problems.
    /// - Throws: `ConfigurationError`.
    package static func parse(_ bytes: [UInt8], path: String) throws(ConfigurationError) -> PlanTree {
        do throws(YAMLMistake) {
            guard bytes.count <= Limits.bytes else {
                throw YAMLMistake(line: nil, "has \(bytes.count) bytes", "must have at most \(Limits.bytes)")
            }
            var parser = YAMLEvents()
            return try parser.parse(bytes)
        } catch {
            throw ConfigurationError(
                path: path,
                problems: [
                    ConfigurationProblem(
                        location: error.line == nil ? "file" : "",
                        position: error.line.map { TextPosition(line: $0, column: error.column) },
                        found: error.found, allowed: error.allowed)
                ])
        }
    }
}

/// The first mistake in a text that is not YAML, or is beyond the limits.
struct YAMLMistake: Error {
    /// Line from 1; `nil` if it is about the whole file.
    var line: Int?
    var column = 1
    var found: String
    var allowed: String

    init(line: Int?, column: Int = 1, _ found: String, _ allowed: String) {
        self.line = line
        self.column = column
        self.found = found
        self.allowed = allowed
    }
}
