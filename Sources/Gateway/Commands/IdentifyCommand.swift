import ArgumentParser
import CommandSupport
import GatewayCore

struct IdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Makes the lights of a module's serial adapter flicker.",
        discussion: "The running gateway does it, at whose local socket this command asks for it.")

    @Argument(help: "The module's name in the inventory.")
    var module: String

    @OptionGroup(title: "The gateway")
    var options: LocalSocketOptions

    func run() async throws {
        try await Terminal.run {
            let done = try await options.client().ask(.identify(module), for: LocalAnswer.Done.self)
            try Terminal.print(done.text)
        }
    }
}
