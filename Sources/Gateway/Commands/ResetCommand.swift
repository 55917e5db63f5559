import ArgumentParser
import CommandSupport
import GatewayCore

struct ResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Resets a module and provisions it again.",
        discussion: "The running gateway does it, at whose local socket this command asks for it.")

    @Argument(help: "The module's name in the inventory.")
    var module: String

    @OptionGroup(title: "The gateway")
    var options: LocalSocketOptions

    func run() async throws {
        try await Terminal.run {
            let done = try await options.client().ask(.reset(module), for: LocalAnswer.Done.self)
            try Terminal.print(done.text)
        }
    }
}
