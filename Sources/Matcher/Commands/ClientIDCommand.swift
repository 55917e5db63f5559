import ArgumentParser
import CommandSupport
import InteractionStore
import MatcherDaemon
import Publishing

struct ClientIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client-id", abstract: "Prints the client identifier of this store's matchers.",
        discussion: """
            Whoever connects with it takes over the session and the messages that wait in it. It is random unless \
            mqtt.client-id sets another one. Share it only with the broker's access list.
            """)

    @Flag(help: "Create a new one, for example if the present one was disclosed.")
    var renew = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            if renew {
                _ = try store.renewClientID(audit: CommandAudit.entry(.renewedClientID))
                Terminal.note(
                    "restart the daemon. First let it store what waits at the broker: messages that arrive for the "
                        + "old identifier afterwards are lost, unless the gateways have confirm = \"consumer\"")
                if configuration.namesClientID {
                    Terminal.note("note: mqtt.client-id sets another identifier, which stays in use")
                }
            } else {
                try store.noteCommand(.sawClientID)
            }
            try Terminal.print(try configuration.withClientID(from: store).broker.clientID)
        }
    }
}
