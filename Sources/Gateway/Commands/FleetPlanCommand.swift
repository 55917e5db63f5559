import ArgumentParser
import BeaconModel
import CommandSupport
import OperatorText
import RecordContract
import Rollout

struct FleetPlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Shows what would change on which gateway. Changes nothing.",
        discussion: """
            Checks every gateway's configuration as the gateway would, and compares it with the one that the gateway \
            says it uses. Files that a configuration names are on the gateways, and are checked there.

            Exit status: 0; with --exit-code 1 if something would change; 69 the broker does not answer, 78 a \
            configuration is wrong.
            """)

    @OptionGroup var scope: FleetScope

    @Flag(help: "Show the lines that would change.")
    var diff = false

    @Flag(help: "Exit with status 1 if something would change.")
    var exitCode = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @Flag(help: "Only check the files, without asking the broker.")
    var check = false

    @Option(
        help: ArgumentHelp(
            "Print the configuration of this gateway, as it would be sent, and exit.", valueName: "place")
    )
    var show: String?

    func validate() throws {
        if let show, GatewayPath(show) == nil {
            throw ValidationError("--show \(show.excerpt) must be SITE/BUILDING/FLOOR/GATEWAY")
        }
    }

    func run() async throws {
        try await Terminal.run {
            let isOffline = check || show != nil
            // Without a connection no password is needed.
            let directory = try await FleetDirectory.read(
                scope.directory, secrets: ConfigurationFile.secrets(for: isOffline ? [] : SecretAccess.everything))
            if let show { return try print(show, directory) }
            let gateways = try scope.selected(of: directory.documents.gateways)
            if check {
                let count = gateways.count == 1 ? "1 gateway" : "\(gateways.count) gateways"
                return Terminal.note("\(directory.path) is valid: \(count), \(directory.name)")
            }
            let plan = try await FleetSurvey.plan(directory, gateways)
            try show(plan, directory)
            if exitCode, !plan.changing.isEmpty { throw ExitCode(ExitStatus.negative.rawValue) }
        }
    }

    private func print(_ gateway: String, _ directory: FleetDirectory) throws {
        guard let document = GatewayPath(gateway).flatMap({ directory.documents[$0] }) else {
            throw ValidationError("--show \(gateway.excerpt): the directory has no file \(gateway).toml")
        }
        try Terminal.write(document.text)
    }

    private func show(_ plan: RolloutPlan, _ directory: FleetDirectory) throws {
        if json {
            return try Terminal.print(RolloutPlanDocument(plan, revision: directory.revision?.description).encoded)
        }
        let text = RolloutPlanText(plan, source: directory.name)
        try Terminal.print(text.table)
        if diff {
            for line in text.differences { try Terminal.print(line.shown(upTo: .max)) }
            try Terminal.print("")
        }
        for line in text.summary { try Terminal.print(line.shown(upTo: .max)) }
        if let objection = directory.objection { Terminal.note("note: \(objection.what); `fleet apply` refuses that") }
    }
}
