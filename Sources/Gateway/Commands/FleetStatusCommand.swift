import ArgumentParser
import BeaconModel
import CommandSupport
import Glibc
import Publishing
import Rollout
import SystemIO

struct FleetStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows all gateways in one table.",
        discussion: """
            Shows what the gateways said last, as the broker keeps it: whether they are online and work, which \
            configuration they use, their version, uptime and modules. --outbox also waits up to 35 s for what each \
            gateway says of its outbox.

            With a directory, the broker is that of its fleet.toml, and gateways that were never heard are shown too. \
            Without one, the options name the broker.

            Exit status: 0 all gateways work, 1 some do not, 69 the broker does not answer.
            """)

    @Argument(help: ArgumentHelp("The directory with fleet.toml and the gateways' files.", valueName: "directory"))
    var directory: String?

    @OptionGroup(title: "Broker, without a directory") var broker: BrokerOptions

    @Option(
        help: ArgumentHelp("Only this site. Some brokers do not let everybody see all sites.", valueName: "site"))
    var site: String?

    @Flag(help: "Wait for the number of records that wait in each outbox.")
    var outbox = false

    @Flag(help: "Print one JSON object.")
    var json = false

    private static let healthLimit: Duration = .seconds(35)

    func validate() throws {
        let hasBroker =
            broker.config != nil || broker.host != nil || broker.port != nil || broker.username != nil
            || broker.caFile != nil
        if directory != nil, hasBroker {
            throw ValidationError("a directory and an option both specify the broker: omit one of them.")
        }
        if let site, GatewayPath([site, "a", "a", "a"]) == nil {
            throw ValidationError("--site must consist of a-z, 0-9 and -.")
        }
    }

    func run() async throws {
        try await Terminal.run {
            var known: [GatewayPath] = []
            let source: (broker: BrokerConfiguration, prefix: String)
            var sites = site.map { [$0] }
            if let directory {
                let read = try await FleetDirectory.read(directory)
                known = read.documents.gateways.filter { site == nil || $0.site == site }
                source = (read.settings.broker, read.settings.prefix)
                sites = sites ?? read.sites
            } else {
                source = try broker.read()
            }
            let waitsForHealth = outbox
            let filters = HeardMessage.filters(
                prefix: source.prefix, sites: sites, HeardMessage.Topic.allCases, replies: false)
            let heard = try await FleetConnection.use(source.broker, prefix: source.prefix, filters: filters) {
                try await $0.survey(
                    quiet: FleetSurvey.quiet, limit: waitsForHealth ? Self.healthLimit : FleetSurvey.limit
                ) { fleet in
                    !waitsForHealth || fleet.gateways.values.allSatisfy { !$0.isOnline || $0.health != nil }
                }
            }
            let text = HeardFleetText(heard, known: known, now: WallClock.now())
            if json {
                try Terminal.print(HeardFleetDocument(heard, known: known).encoded)
            } else {
                try Terminal.print(text.table)
                try Terminal.print(text.summary)
            }
            if !text.allWork { throw ExitCode(ExitStatus.negative.rawValue) }
        }
    }
}
