import ArgumentParser
import CommandSupport
import Logging
import OperatorText
import RecordContract
import ServiceLifecycle
import UnixSignals

struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Shows records as the broker receives them: a table in a terminal, JSON lines in a pipe.",
        discussion: """
            Requires a user who can read the topics; with the access list in deploy/mosquitto, a gateway's own user \
            cannot. Times are UTC. Reconnects when the connection is lost. Ctrl-C quits and prints the number of \
            records.

            EXAMPLE: beacon-gateway tail --host broker.example.org --username analyst-anna --password-file ~/.mqtt
                     beacon-gateway tail --topic 'beacons/v1/mcgill/trottier/3/#' | jq .data.proximity
            """)

    @OptionGroup(title: "Broker") var broker: BrokerOptions

    @Option(
        help: ArgumentHelp(
            "Topic filter (default: those of all gateways, PREFIX/v1/#). On RabbitMQ and NATS, an analyst must name a "
                + "site: PREFIX/v1/SITE/#.",
            valueName: "filter"))
    var topic: String?

    @Flag(help: "Print JSON lines even in a terminal.")
    var json = false

    @Flag(help: "Show first who is present where, from the retained presence messages.")
    var sinceRetained = false

    func validate() throws {
        if let topic, let problem = TopicFilter.problem(in: topic) {
            throw ValidationError("--topic \(topic.excerpt) \(problem); for example: beacons/v1/mcgill/+/3/#")
        }
    }

    func run() async throws {
        try await Terminal.run {
            let (broker, prefix) = try broker.read()
            let form: TailTable.Form =
                json || !Terminal.isInteractive
                ? .json : .table(isColoured: Terminal.isColoured, width: Terminal.tableWidth)
            let screen = TailScreen(table: TailTable(form: form, showsPresence: sinceRetained))
            let service = TailService(
                broker: broker, filter: topic ?? "\(prefix)/v\(Contract.version)/#", screen: screen)
            do {
                try await ServiceGroup(
                    configuration: .init(
                        services: [
                            .init(
                                service: service, successTerminationBehavior: .gracefullyShutdownGroup,
                                failureTerminationBehavior: .cancelGroup)
                        ],
                        gracefulShutdownSignals: EndingSignals.all, logger: makeLogger(level: .critical))
                ).run()
            } catch {
                if await screen.wasSubscribed { await screen.finish() }
                throw error
            }
            await screen.finish()
        }
    }
}
