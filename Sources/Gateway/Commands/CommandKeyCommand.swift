import ArgumentParser
import CommandSupport
import RecordContract

struct CommandKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "command-key", abstract: "Prints the key that a gateway uses to verify commands.",
        discussion: """
            The key is derived from the operator's secret and the gateway's place. Store it in the file that \
            commands.key-file of the gateway names. The gateway then accepts only commands that `sign-command` has \
            signed with the same secret.
            """)

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY, as in the gateway's [place].")
    var gateway: String

    @OptionGroup var secret: CommandKeyFile

    func validate() throws { _ = try CommandKeyFile.place(gateway) }

    func run() async throws {
        try await Terminal.run { try Terminal.print(secret.key(of: gateway).hexadecimal) }
    }
}
