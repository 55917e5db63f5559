import ArgumentParser
import CommandSupport
import GatewayCore
import Logging

struct LogLevelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log-level",
        abstract: "Prints or changes the log level of the running gateway.",
        discussion: "A change lasts until the gateway restarts. The option --log-level of `run` is for always.")

    @Argument(
        help: "trace, debug, info, notice, warning, error or critical; omit it to print the level.",
        transform: OptionValue.logLevel)
    var level: Logger.Level?

    @OptionGroup(title: "The gateway")
    var options: LocalSocketOptions

    func run() async throws {
        try await Terminal.run {
            let request = level.map { LocalRequest.setLogLevel($0.rawValue) } ?? .logLevel
            let answer = try await options.client().ask(request, for: LocalAnswer.LogLevel.self)
            let note = answer.level == answer.initial ? "" : " (\(answer.initial) after a restart)"
            try Terminal.print(answer.level + note)
        }
    }
}
