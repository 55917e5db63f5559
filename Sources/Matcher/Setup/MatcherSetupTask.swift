import CommandSupport
import InteractionStore
import MatcherDaemon
import Matching
import OperatorText
import Publishing
import Setup
import SystemIO

/// A matcher's setup from the first question to the check of the new configuration.
struct MatcherSetupTask {
    var session: SetupSession
    var path: String
    var answersPath: String?
    var isDryRun: Bool
    var mosquitto: String

    private static let group = "beacon-matcher"
    private static let longestFile = 1024 * 1024

    func run() async throws {
        let file = try SetupSession.answers(
            answersPath, keys: MatcherSetup.keys, tests: MatcherSetup.Test.allCases.map(\.key))
        let present = PresentFile(path: path)
        if !isDryRun { try present.checkWritable() }
        var password: String?
        let values = try await present.present(notes: MatcherSetup.notes, session: session) { text in
            let secrets = ConfigurationFile.secrets(isTolerant: true)
            password = try MatcherConfiguration.parse(
                text, path: path, secrets: secrets,
                readFile: ConfigurationFile.reader(refusing: secrets, in: path, limit: Self.longestFile),
                locate: { ConfigurationFile.locate($0, in: path) }
            ).broker.password
        }
        let machine = MatcherSetup.Machine(
            timeZone: SetupMachine.timeZone, broker: SetupMachine.localBroker(mosquitto: mosquitto),
            policies: Policy.shippedNames, storeForm: StoreLocation.form,
            isStore: { StoreLocation($0) != nil })
        if values.exists { try session.terminal.line("\(path) exists: Enter keeps a present value.") }
        let checks = MatcherAnswerChecks(password: password)
        let interview = try await session.run(
            SetupInterview(
                MatcherSetup(machine: machine, present: values), given: file.answers,
                from: answersPath ?? "the answers file", keepAnyway: file.keepAnyway, canAsk: Terminal.canAsk),
            test: checks.run)
        let service = await SetupMachine.service("beacon-matcher")
        let plan = interview.script.plan(
            interview.answers,
            paths: .init(
                configuration: path, mosquitto: mosquitto,
                passwordFile: ConfiguredPath.resolve(passwordFile(values), in: path)),
            service: service,
            secrets: .init(
                password: SetupMachine.randomDigits(bytes: 18), site: SetupMachine.randomDigits(bytes: 32),
                pseudonyms: SetupMachine.randomDigits(bytes: 32)),
            brokerConfiguration: SetupMachine.brokerConfiguration(mosquitto: mosquitto))
        if try await SetupConclusion(session: session, plan: plan, path: path, isDryRun: isDryRun).write(
            group: Self.group, time: WallClock.now(), check: { try check($0, plan) })
        {
            try await close(interview, service)
        }
    }

    /// A password that is a credential of the service stays where it is, so a new one gets a file.
    private func passwordFile(_ present: PresentConfiguration) -> String {
        let file = present.answer("mqtt", "password-file") ?? "mqtt-password"
        return CredentialPath.isCredential(file) ? "mqtt-password" : file
    }

    /// Checks a configuration before it is written, with the files that are written too.
    private func check(_ text: String, _ plan: SetupPlan) throws {
        let files = Dictionary(plan.files.map { ($0.path, Array($0.contents.utf8)) }, uniquingKeysWith: { $1 })
        _ = try MatcherConfiguration.parse(
            text, path: path, secrets: ConfigurationFile.secrets(isTolerant: true),
            readFile: { name in try files[name] ?? FileContents.read(name, limit: Self.longestFile) },
            locate: { ConfigurationFile.locate($0, in: path) })
    }

    /// Says what is left to do, and checks what was written.
    private func close(_ interview: SetupInterview<MatcherSetup>, _ service: GatewaySetup.Service) async throws {
        let terminal = session.terminal
        let quoted = ShellWord.quote(path)
        try terminal.heading("Check (beacon-matcher run --check --config \(quoted))")
        let secrets = ConfigurationFile.secrets(isTolerant: true)
        try RunCommand.check(MatcherConfiguration.load(path, secrets: secrets), path, secrets)
        for finding in interview.left { try terminal.finding(finding) }
        switch service {
        case .none(let reason):
            try terminal.paragraph("no service was started: \(reason). Run the matcher with:")
            try terminal.line("    beacon-matcher run --config \(quoted)")
        case .unit:
            let isActive = await SetupMachine.service("beacon-matcher") == .unit(isActive: true)
            try terminal.line(
                isActive
                    ? "beacon-matcher runs: the store is open and the broker has confirmed the subscription"
                    : "beacon-matcher does not run: journalctl --unit beacon-matcher says why")
        }
        if interview.answers.isYes("signing.on") {
            try terminal.paragraph("print the key of each gateway, for its signing.key-file:")
            try terminal.line("    beacon-matcher gateway-key SITE/BUILDING/FLOOR/GATEWAY --config \(quoted)")
        }
        let brokerFailed = interview.left.contains { $0.subject == "broker" && $0.severity == .failed }
        if brokerFailed, interview.answers["mqtt.create-user"] == "no" {
            try terminal.paragraph(
                "for the broker's operator, who adds the matcher's user at mosquitto (deploy/mosquitto):")
            try terminal.line("    sudo users.py add matcher \(MatcherSetup.user)")
        }
        if interview.left.contains(where: { $0.severity == .failed }) { throw SomethingIsLeft.status }
    }
}
