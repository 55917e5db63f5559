import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import OperatorText
import RecordContract
import SystemIO

struct CodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "Issues the codes with which positive people confirm their own report (POST /v1/codes/exchange).",
        subcommands: [CodesIssueCommand.self, CodesCountCommand.self])
}

struct CodesIssueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue", abstract: "Prints new codes, one a line. They are not shown again.",
        discussion: """
            For health officers, who vouch for a positive test by issuing a code. Read the eight digits out to the \
            person, who types them into the app. Send long codes, of 21 characters, by letter or short message. Each \
            code works once.
            """)

    @Option(help: ArgumentHelp("The day of the test.", valueName: "day"), transform: MatcherOption.day)
    var testDate: Int64

    @Option(help: ArgumentHelp("The day on which symptoms began.", valueName: "day"), transform: MatcherOption.day)
    var onset: Int64?

    @Option(help: "Number of codes, one for each person.")
    var count = 1

    @Flag(help: "Issue long codes, which are valid for 24 hours.")
    var long = false

    @Option(
        help: ArgumentHelp("Validity of short codes, from 15m to 60m (default: 30m).", valueName: "duration"),
        transform: Self.duration)
    var valid: Duration?

    @Flag(help: "Print one JSON document per line, one for each code.")
    var json = false

    @OptionGroup var options: StoreOptions

    /// A line of `--json`.
    private struct Document: Encodable {
        var code: String
        var expires: String
    }

    private static func duration(_ text: String) throws -> Duration {
        let bounds = VerificationCodes.validities
        guard let duration = DurationText.parse(text), duration >= .seconds(bounds.lowerBound),
            duration <= .seconds(bounds.upperBound)
        else { throw ValidationError("must be from 15m to 60m") }
        return duration
    }

    func validate() throws {
        guard (1...VerificationCodes.mostAtOnce).contains(count) else {
            throw ValidationError("--count must be from 1 to \(VerificationCodes.mostAtOnce)")
        }
        if long, valid != nil { throw ValidationError("--valid is for short codes; long codes are valid for 24 hours") }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let now = WallClock.now().microseconds / 1_000_000
            let codes = VerificationCodes(
                test: testDate, onset: onset, isLong: long,
                validity: valid?.components.seconds ?? VerificationCodes.standardValidity)
            let expires = codes.expires(now: now)
            let issued = try codes.issue(
                count, by: CommandAudit.present, in: store, policy: configuration.policy, now: now)
            for code in issued {
                if json {
                    try Terminal.print(JSON.encode(Document(code: code, expires: InstantText.utc(expires))))
                } else {
                    try Terminal.print(code)
                }
            }
            let days = configuration.days
            Terminal.note("valid until \(days.text(expires)) \(days.name); each works once")
        }
    }
}

struct CodesCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Prints how many codes were issued that can still be used.")

    @Flag(help: "Print one JSON document.")
    var json = false

    @OptionGroup var options: StoreOptions

    private struct Document: Encodable {
        var short: Int
        var long: Int
    }

    func run() async throws {
        try await Terminal.run {
            let store = try options.read().openStore(creating: false)
            let open = try store.openCodes(now: WallClock.now().microseconds / 1_000_000)
            if json { return try Terminal.print(JSON.encode(Document(short: open.short, long: open.long))) }
            try Terminal.print("\(open.short) short and \(open.long) long codes are open")
        }
    }
}
