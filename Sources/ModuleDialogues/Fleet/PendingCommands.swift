/// The commands that wait for their outcome.
struct PendingCommands: Sendable {
    private var all: [Fleet.Command] = []

    var count: Int { all.count }

    mutating func add(_ command: Fleet.Command) { all.append(command) }

    /// Answers the commands to a module.
    ///
    /// - Parameter names: the commands to answer; empty for all.
    mutating func answer(
        _ module: String, _ outcome: Fleet.Outcome, only names: [Fleet.Command.Name] = []
    ) -> [Fleet.Action] {
        let answered = all.filter { $0.module == module && (names.isEmpty || names.contains($0.name)) }
        all.removeAll { answered.contains($0) }
        return answered.map { .reply(Fleet.Reply(command: $0, outcome: outcome)) }
    }
}
