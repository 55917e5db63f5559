import ArgumentParser

struct ModuleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "module", abstract: "First contact with a real RS9116 module: record, replay, experiment.",
        subcommands: [Trace.self, Replay.self, Probe.self])
}
