import ArgumentParser
import CommandSupport
import RecordContract

struct CommandKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "command-key", abstract: "Prints the key that a gateway uses to verify commands.",
        discussion: """
            It is derived from the operator's secret and the gateway's place. Put it into a file that the gateway's \
            commands.key-file names: then it obeys only commands that `sign-command` signed with the same secret.
            """)

    @Argument(help: "SITE/BUILDING/FLOOR/GATEWAY, as the gateway's [place] says.")
    var gateway: String

    @OptionGroup var secret: CommandKeyFile

    func validate() throws { _ = try CommandKeyFile.place(gateway) }

    func run() async throws {
        try await Terminal.run { try Terminal.print(secret.key(of: gateway).hexadecimal) }
    }
}
