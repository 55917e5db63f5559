import OperatorText

/// How many commands are obeyed: so many that a person or a script can work, and no flood wears modules out.
struct CommandRules: Equatable, Sendable {
    /// In the long run.
    var perMinute = 10
    /// At once.
    var burst = 5
    /// A command that comes again within this time is the same one.
    var repeatWindow: Duration = .seconds(60)

    static func read(_ root: TOMLReader) -> CommandRules {
        var rules = CommandRules()
        guard let reader = root.table("commands") else { return rules }
        defer { reader.finish() }
        rules.perMinute =
            reader.integer("per-minute", allowed: "from 1 to 600") { (1...600).contains($0) } ?? rules.perMinute
        rules.burst = reader.integer("burst", allowed: "from 1 to 100") { (1...100).contains($0) } ?? rules.burst
        return rules
    }
}
