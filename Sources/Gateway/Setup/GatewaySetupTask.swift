import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import GatewayCore
import GatewayDaemon
import HCI
import ModuleDialogues
import OperatorText
import Publishing
import Setup
import SystemIO

/// A gateway's setup from the first question to the doctor's verdict.
struct GatewaySetupTask {
    var session: SetupSession
    var path: String
    var answersPath: String?
    var isDryRun: Bool
    /// Measuring time of the doctor for each path; `nil` to measure nothing.
    var measuring: Duration?
    var mosquitto: String

    private static let group = "beacon-gateway"

    func run() async throws {
        let file = try SetupSession.answers(
            answersPath, keys: GatewaySetup.keys, tests: GatewaySetup.Test.allCases.map(\.key))
        let present = PresentFile(path: path)
        if !isDryRun { try present.checkWritable() }
        var inventory = Inventory()
        var password: String?
        let values = try await present.present(notes: GatewaySetup.notes, session: session) { text in
            let configuration = try parse(text)
            inventory = configuration.inventory
            password = configuration.broker.password
        }
        let facts = try await Self.facts(values.answer("state", "directory"), inventory)
        let machine = GatewaySetup.Machine(
            hostName: SetupMachine.hostName, adapters: Self.adapters(facts),
            broker: SetupMachine.localBroker(mosquitto: mosquitto), freshUUID: Self.freshUUID())
        let script = GatewaySetup(machine: machine, present: values, inventory: inventory)
        if values.exists { try session.terminal.line("\(path) exists: Enter keeps a present value.") }
        if let inUse = try? ConfigurationInUse.load(path, secrets: ConfigurationFile.secrets(for: [])),
            inUse.record.phase.inUse != nil
        {
            // The gateway would not follow what is written.
            try session.terminal.line(
                "warning: this gateway is configured from afar (\(inUse.text)) and uses little of this file; set "
                    + "enabled = false in [rollout] to return to it")
        }
        let checks = GatewayAnswerChecks(password: password)
        let interview = try await session.run(
            SetupInterview(
                script, given: file.answers, from: answersPath ?? "the answers file", keepAnyway: file.keepAnyway,
                canAsk: Terminal.canAsk),
            test: checks.run)
        let service = await SetupMachine.service("beacon-gateway")
        let plan = interview.script.plan(
            interview.answers,
            paths: .init(
                configuration: path, mosquitto: mosquitto,
                passwordFile: ConfiguredPath.resolve(
                    passwordFile(values), in: path)),
            service: service, newPassword: SetupMachine.randomDigits(bytes: 18),
            brokerConfiguration: SetupMachine.brokerConfiguration(mosquitto: mosquitto))
        if try await SetupConclusion(session: session, plan: plan, path: path, isDryRun: isDryRun).write(
            group: Self.group, time: WallClock.now(), check: { try check($0, plan) })
        {
            try closing(interview, service)
            try await examine()
        }
    }

    /// A password that is a credential of the service stays where it is, so a new one gets a file.
    private func passwordFile(_ present: PresentConfiguration) -> String {
        let file = present.answer("mqtt", "password-file") ?? "mqtt-password"
        return CredentialPath.isCredential(file) ? "mqtt-password" : file
    }

    private func parse(_ text: String) throws -> Configuration {
        let secrets = ConfigurationFile.secrets(isTolerant: true)
        return try Configuration.parse(
            text, path: path, secrets: secrets,
            readFile: ConfigurationFile.reader(refusing: secrets, in: path, limit: Inventory.longestFile),
            locate: { ConfigurationFile.locate($0, in: path) })
    }

    /// Checks a configuration before it is written, with the files that are written too.
    private func check(_ text: String, _ plan: SetupPlan) throws {
        let files = Dictionary(plan.files.map { ($0.path, Array($0.contents.utf8)) }, uniquingKeysWith: { $1 })
        _ = try Configuration.parse(
            text, path: path, secrets: ConfigurationFile.secrets(isTolerant: true),
            readFile: { name in
                try files[name] ?? FileContents.read(name, limit: Inventory.longestFile)
            }, locate: { ConfigurationFile.locate($0, in: path) })
    }

    static func facts(_ stateDirectory: String?, _ inventory: Inventory) async throws -> MachineFacts {
        try await DedicatedThread.run(name: "setup") {
            MachineExamination.facts(
                stateDirectory: stateDirectory ?? Configuration.defaultStateDirectory, inventory: inventory)
        }
    }

    private static func adapters(_ facts: MachineFacts) -> [String] {
        guard case .success(let adapters) = facts.adapters else { return [] }
        return adapters.map { facts in
            let address = facts.description.address.bits == 0 ? "no public address" : "\(facts.description.address)"
            return "\(facts.description.adapter)  \(address)"
        }
    }

    /// Returns a random UUID (RFC 9562, section 5.4).
    private static func freshUUID() -> ProximityUUID {
        let random = UInt128(UInt64.random(in: .min ... .max)) << 64 | UInt128(UInt64.random(in: .min ... .max))
        let version: UInt128 = 0xF000 << 64
        let variant: UInt128 = 0xC000_0000_0000_0000
        return ProximityUUID(bits: random & ~version & ~variant | 0x4000 << 64 | 0x8000_0000_0000_0000)
    }

    private func closing(_ interview: SetupInterview<GatewaySetup>, _ service: GatewaySetup.Service) throws {
        if case .none(let reason) = service {
            try session.terminal.paragraph("no service was started: \(reason). Run the gateway with:")
            try session.terminal.line("    beacon-gateway run --config \(ShellWord.quote(path))")
        }
        let brokerFailed = interview.left.contains { $0.subject == "broker" && $0.severity == .failed }
        if brokerFailed, interview.answers["mqtt.create-user"] == "no" {
            try session.terminal.paragraph(
                "for the broker's operator, who adds this gateway's user at mosquitto (deploy/mosquitto):")
            try session.terminal.line("    " + GatewaySetup.operatorCommand(interview.answers))
        }
    }

    /// Ends with the doctor's findings about what was written.
    private func examine() async throws {
        try session.terminal.heading("Examination (beacon-gateway doctor --config \(ShellWord.quote(path)))")
        let width = min(Terminal.isInteractive ? Terminal.size.columns : 80, 100)
        let report = try await DoctorExamination(
            configurationPath: path, measuring: measuring, allPaths: false,
            tell: { finding in
                for line in DoctorText.lines(finding, width: width, isColoured: Terminal.isColoured) {
                    try? Terminal.print(line)
                }
            },
            progress: { Terminal.progress($0) }
        ).run()
        try Terminal.print("")
        for line in report.closingLines(width: width) { try Terminal.print(line) }
        if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
    }
}
