package import OperatorText
package import RecordContract

/// How many commands are obeyed: so many that a person or a script can work, and no flood wears modules out.
package struct CommandRules: Equatable, Sendable {
    /// In the long run.
    package var perMinute = 10
    /// At once.
    package var burst = 5
    /// A command that comes again within this time is the same one.
    var repeatWindow: Duration = .seconds(60)
    /// The key by which operators sign commands; `nil`: whoever the broker lets publish there is obeyed.
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
