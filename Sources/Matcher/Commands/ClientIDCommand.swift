import ArgumentParser
import CommandSupport
import InteractionStore
import MatcherDaemon
import Publishing

struct ClientIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client-id", abstract: "Prints the client identifier of this store's matchers.",
        discussion: """
            Whoever connects with it takes the session over, and what waits in it. It is random unless mqtt.client-id names \
            another; tell it to nobody but the broker's access list.
            """)

    @Flag(help: "Make another one, for instance when somebody has seen it.")
    var renew = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            if renew {
                _ = try store.renewClientID()
                Terminal.note(
                    "restart the daemon. Let it store what waits at the broker before: what comes for the old identifier "
                        + "afterwards is lost, unless gateways have confirm = \"consumer\"")
                if configuration.namesClientID {
                    Terminal.note("note: mqtt.client-id names another, which stays")
                }
            }
            try Terminal.print(try configuration.withClientID(from: store).broker.clientID)
        }
    }
}
