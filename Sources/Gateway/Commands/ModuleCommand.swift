import ArgumentParser

struct ModuleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "module", abstract: "Examines a real RS9116 module: trace, replay, experiment.",
        subcommands: [Trace.self, Replay.self, Probe.self])
}
