import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import OperatorText
import RecordContract
import SystemIO

struct EnrolmentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrolment", abstract: "Manages the codes with which phones enrol (POST /v1/phones).",
        subcommands: [EnrolmentListCommand.self, EnrolmentIssueCommand.self, EnrolmentRevokeCommand.self],
        defaultSubcommand: EnrolmentListCommand.self)
}

struct EnrolmentIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue", abstract: "Prints new codes, one a line. They are not shown again.")

    @Option(help: "Number of codes.")
    var count = 1

    @Option(help: "Number of phones that can enrol with each code.")
    var uses = 1

    @Option(help: "Validity of the codes.", transform: Self.duration)
    var valid: Duration = .seconds(7 * 86_400)

    @Option(help: "Label by which the codes are listed and revoked together.")
    var label: String?

    @Flag(help: "Print one JSON document per line, one for each code.")
    var json = false

    @OptionGroup var options: StoreOptions

    /// A line of `--json`.
    private struct Document: Encodable {
        var code: String
        var label: String
        var uses: Int
        var expires: String
    }

    private static func duration(_ text: String) throws -> Duration {
        guard let duration = DurationText.parse(text), duration >= .seconds(60), duration <= .seconds(366 * 86_400)
        else { throw ValidationError("must be from 1m to 366d") }
        return duration
    }

    func validate() throws {
        guard (1...10_000).contains(count) else { throw ValidationError("--count must be from 1 to 10000") }
        guard (1...100_000).contains(uses) else { throw ValidationError("--uses must be from 1 to 100000") }
        if let label, !(1...64).contains(label.count) || label.shown(upTo: 64) != label {
            throw ValidationError("--label must have 1 to 64 characters on one line")
        }
    }

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            let now = WallClock.now().microseconds / 1_000_000
            let codes = (0..<count).map { _ in EnrolmentCode.make(from: .random(in: .min ... .max)) }
            let expires = now + valid.components.seconds
            let label = label ?? "issued \(InstantText.utc(now))"
            try store.issue(
                codes: codes, label: label, uses: uses, expires: expires, now: now,
                audit: CommandAudit.entry(
                    .issuedEnrolment, label, detail: "\(count) \(count == 1 ? "code" : "codes") for \(uses) each"))
            for code in codes.map(EnrolmentCode.shown) {
                if json {
                    let document = Document(
                        code: code, label: label, uses: uses, expires: InstantText.utc(expires))
                    try Terminal.print(JSON.encode(document))
                } else {
                    try Terminal.print(code)
                }
            }
            Terminal.note("\(label): valid until \(InstantText.utc(expires))")
        }
    }
}

struct EnrolmentListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists what was issued, without the codes.")

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: StoreOptions

    /// A line of `--json`.
    private struct Document: Encodable {
        var label: String
        var codes: Int
        var uses: Int
        var used: Int
        var expires: String
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let enrolments = try configuration.openStore(creating: false).enrolments()
            if json {
                for one in enrolments {
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                label: one.label, codes: one.codes, uses: one.uses, used: one.used,
                                expires: InstantText.utc(one.expires))))
                }
                return
            }
            var table = TextTable([
                ("LABEL", .left), ("CODES", .right), ("USES", .right), ("USED", .right),
                ("EXPIRES (\(configuration.days.name))", .left),
            ])
            for one in enrolments {
                table.add([
                    one.label, "\(one.codes)", "\(one.uses)", "\(one.used)", configuration.days.text(one.expires),
                ])
            }
            if !enrolments.isEmpty { try Terminal.print(table) }
            Terminal.note("\(enrolments.count) \(enrolments.count == 1 ? "label" : "labels")")
        }
    }
}

struct EnrolmentRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes the codes of a label. Phones that have enrolled with them stay enrolled.")

    @Argument(help: "The label, as listed by `enrolment`.")
    var label: String

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let count = try options.read().openStore(creating: false)
                .revokeEnrolment(label: label, audit: CommandAudit.entry(.revokedEnrolment, label))
            guard count > 0 else { throw UnknownLabel(label: label) }
            try Terminal.print("\(count) \(count == 1 ? "code was" : "codes were") revoked")
        }
    }
}

private struct UnknownLabel: OperatorError {
    var label: String

    var what: String { "there are no codes with the label \(label.excerpt)" }
    var remedy: String? { "list the labels with: beacon-matcher enrolment" }
    var exitStatus: BeaconModel.ExitStatus { .data }
}
