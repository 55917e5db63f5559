import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import OperatorText
import RecordContract
import SignIn
import SystemIO

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "Lists and ends the sessions of people who are signed in on the page.",
        subcommands: [SessionsListCommand.self, SessionsRevokeCommand.self], defaultSubcommand: SessionsListCommand.self
    )
}

struct SessionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists who is signed in, and since when.")

    @Flag(help: "Print one JSON document per line.")
    var json = false

    @OptionGroup var options: StoreOptions

    private struct Document: Encodable {
        var issuer: String
        var subject: String
        var name: String
        var number: String?
        var roles: [String]
        var signedIn: String
        var lastRequest: String
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            try store.noteCommand(.sawSessions)
            let sessions = try store.currentSessions(configuration)
            if json {
                for session in sessions {
                    let account = session.account
                    try Terminal.print(
                        JSON.encode(
                            Document(
                                issuer: account.issuer, subject: account.subject, name: account.name,
                                number: account.number, roles: account.roles.sorted().map(\.rawValue),
                                signedIn: InstantText.utc(session.created), lastRequest: InstantText.utc(session.used)))
                    )
                }
                return
            }
            let days = configuration.days
            var table = TextTable([
                ("NAME", .left), ("ACCOUNT", .left), ("ROLES", .left), ("SIGNED IN (\(days.name))", .left),
                ("LAST REQUEST", .left),
            ])
            for session in sessions {
                let account = session.account
                table.add([
                    account.name, account.subject, account.roles.sorted().map(\.rawValue).joined(separator: ", "),
                    days.text(session.created), days.text(session.used),
                ])
            }
            if !sessions.isEmpty { try Terminal.print(table) }
            Terminal.note("\(sessions.count) \(sessions.count == 1 ? "session" : "sessions")")
        }
    }
}

struct SessionsRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Ends sessions: the next request of these browsers has to sign in again.")

    @Argument(help: "The account (`sessions list` shows it), or the student or staff number.")
    var account: String?

    @Flag(help: "End the sessions of everybody.")
    var all = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard all != (account != nil) else { throw ValidationError("Specify an account, or --all.") }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let current = try store.currentSessions(configuration).count(where: {
                account == nil || $0.account.subject == account || $0.account.number == account
            })
            // Those that are over end too: without the configuration, its limits are not known.
            let ended = try store.endSessions(
                of: account, audit: CommandAudit.entry(.endedSessions, account ?? "everybody"))
            if ended == 0, let account {
                throw UnknownName(
                    what: "nobody is signed in as \(account.excerpt)", remedy: "`sessions list` shows who is signed in")
            }
            let count = min(current, ended)
            try Terminal.print("\(count) \(count == 1 ? "session" : "sessions") ended")
        }
    }
}

extension InteractionStore {
    /// Returns the sessions that are not over, the one that was used last first.
    fileprivate func currentSessions(_ configuration: MatcherConfiguration) throws -> [StoredSession] {
        let policy = configuration.page?.sessions ?? SessionPolicy()
        let now = WallClock.now().microseconds / 1_000_000
        return try sessions().filter {
            !policy.isOver(created: $0.created, used: $0.used, roles: $0.account.roles, now: now)
        }
    }
}
