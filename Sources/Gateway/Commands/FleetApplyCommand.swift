import ArgumentParser
import BeaconModel
import CommandSupport
import OperatorText
import Rollout

struct FleetApplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply", abstract: "Gives the gateways their configurations, stage by stage.",
        discussion: """
            Each gateway tries its configuration. If it works, it is told to keep it; otherwise, and if it cannot be \
            reached any more, the gateway returns to its former configuration by itself. If more than \
            apply.most-failures gateways of a stage fail, no further gateway is asked.

            The files must be committed: a configuration is named by its commit. Gateways obey what is signed with \
            the site's secret for commands, --key-file or key-file in fleet.toml. On Ctrl-C no further gateway is \
            asked, and those that are trying their configuration return by themselves.

            Exit status: 0 all gateways have their configurations, 1 some have failed, or the rollout was stopped, 64 \
            not confirmed, 65 not committed, 69 some gateways, or the broker, were not reached, 78 a configuration is \
            wrong.
            """)

    @OptionGroup var scope: FleetScope

    @Option(
        help: ArgumentHelp(
            "Stages, separated by commas: \(RolloutStage.form) (default: apply.stages of fleet.toml, or "
                + "gateway,floor,building,all).", valueName: "stages"))
    var stages: String?

    @Option(
        help: ArgumentHelp(
            "Time after which a gateway returns unless it was told to keep its configuration (default: apply.trial of "
                + "fleet.toml, or 5m).", valueName: "duration"))
    var trial: String?

    @Option(help: ArgumentHelp("The site's secret for commands.", valueName: "file"))
    var keyFile: String?

    @Flag(help: "Do not ask before beginning.")
    var yes = false

    @Flag(help: "Print JSON lines: one for each event, then the result.")
    var json = false

    func validate() throws {
        if let stages { _ = try Self.stages(stages) }
        if let trial { _ = try Self.trial(trial) }
    }

    private static func stages(_ text: String) throws -> [RolloutStage] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let stage = RolloutStage(String(part)) else {
                throw ValidationError("--stages: \(String(part).excerpt) must be \(RolloutStage.form)")
            }
            return stage
        }
    }

    private static func trial(_ text: String) throws -> Duration {
        guard let duration = DurationText.parse(text), DirectorySettings.trialRange.contains(duration) else {
            throw ValidationError("--trial \(text.excerpt) must be \(DurationText.form), from 10s to 1h")
        }
        return duration
    }

    func run() async throws {
        try await Terminal.run {
            var directory = try await FleetDirectory.read(scope.directory)
            if let objection = directory.objection { throw objection }
            if let stages { directory.settings.stages = try Self.stages(stages) }
            if let trial { directory.settings.trial = try Self.trial(trial) }
            if let keyFile { directory.settings.keyFile = keyFile }
            let gateways = try scope.selected(of: directory.documents.gateways)
            let task = try FleetApplyTask(directory, gateways, asks: !yes, isJSON: json)
            let conclusion = try await task.run()
            if conclusion.failures > 0 || conclusion.stop != nil || !conclusion.abandoned.isEmpty {
                throw ExitCode(ExitStatus.negative.rawValue)
            }
            if conclusion.count(.notReached) > 0 { throw ExitCode(ExitStatus.unavailable.rawValue) }
        }
    }
}
