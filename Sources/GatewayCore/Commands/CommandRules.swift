package import OperatorText
package import RecordContract

/// Limits on commands: enough for a person or a script, and too few for a flood to wear out modules.
package struct CommandRules: Equatable, Sendable {
    /// Sustained rate of commands per minute.
    package var perMinute = 10
    /// Maximum number of commands at once.
    package var burst = 5
    /// Time within which a repeated command counts as the same command.
    var repeatWindow: Duration = .seconds(60)
    /// The key with which operators sign commands; `nil`: any client that the broker lets publish there is obeyed.
    package var key: SigningKey?

    package static func read(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> CommandRules {
        var rules = CommandRules()
        guard let reader = root.table("commands") else { return rules }
        defer { reader.finish() }
        rules.perMinute =
            reader.integer("per-minute", allowed: "from 1 to 600") { (1...600).contains($0) } ?? rules.perMinute
        rules.burst = reader.integer("burst", allowed: "from 1 to 100") { (1...100).contains($0) } ?? rules.burst
        rules.key = SigningKeyFile.read(
            reader, of: "beacon-gateway command-key", for: .commands, secrets: secrets, readFile: readFile)
        return rules
    }
}
