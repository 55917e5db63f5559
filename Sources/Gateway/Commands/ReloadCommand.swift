import ArgumentParser
import CommandSupport
import GatewayCore

struct ReloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Makes the running gateway read its configuration again.",
        discussion: """
            Prints what took effect and what needs a restart. A configuration with problems is refused as a whole; \
            the problems are printed, and the gateway goes on with the previous one.

            Exit status: 0 reloaded, 69 the gateway is not running, 77 not permitted, 78 the configuration is invalid.
            """)

    @OptionGroup(title: "The gateway")
    var options: LocalSocketOptions

    func run() async throws {
        try await Terminal.run {
            let answer = try await options.client().ask(.reload, for: LocalAnswer.Reloaded.self)
            for warning in answer.warnings { Terminal.note("warning: \(warning)") }
            try Terminal.print("reloaded: \(answer.reloaded.joined(separator: ", "))")
            if !answer.needsRestart.isEmpty {
                try Terminal.print("needs a restart: \(answer.needsRestart.joined(separator: ", "))")
            }
        }
    }
}
