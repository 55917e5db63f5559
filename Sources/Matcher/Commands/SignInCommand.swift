import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import SignIn
import SystemIO

struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Prints a link that signs in on the page once.",
        discussion: """
            For a first look, and for demonstrations: it needs a page whose base-url is on this machine. Open the link \
            in a browser on this machine within five minutes. Elsewhere people sign in with the identity provider of \
            [login].
            """)

    @Option(
        name: .customLong("role"),
        help: ArgumentHelp(
            "A role: \(Role.allCases.map(\.rawValue).joined(separator: ", ")); repeat for several (default: officer).",
            valueName: "role"),
        transform: Self.role)
    var roles: [Role] = []

    @Option(help: ArgumentHelp("The name that the page and its audit show.", valueName: "name"))
    var name = "Local user"

    @Option(help: ArgumentHelp("The student or staff number, for the person's own pages.", valueName: "number"))
    var number: String?

    @OptionGroup var options: StoreOptions

    /// Number of seconds for which a link can be used.
    private static let lifetime: Int64 = 300

    func validate() throws {
        guard (1...100).contains(name.utf8.count) else {
            throw ValidationError("--name must have 1 to 100 bytes.")
        }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            guard let page = configuration.page else { throw NoPage() }
            guard page.address.isLoopback else { throw PageElsewhere(origin: page.address.origin) }
            let store = try configuration.openStore(creating: false)
            let token = SessionToken()
            let account = Account(
                issuer: Account.local, subject: name, name: name, number: number,
                roles: roles.isEmpty ? [.officer] : Set(roles))
            let now = WallClock.now().microseconds / 1_000_000
            let named = account.roles.sorted().map(\.rawValue).joined(separator: ", ")
            try store.add(
                link: token.hash, for: account, expires: now + Self.lifetime,
                audit: CommandAudit.entry(.madeLink, name, detail: named))
            try Terminal.print("\(page.address.origin)/sign-in/link?token=\(token.text)")
            Terminal.note("open it in a browser on this machine within five minutes; it works once")
        }
    }

    private static func role(_ text: String) throws -> Role {
        guard let role = Role(rawValue: text) else {
            throw ValidationError("must be one of \(Role.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return role
    }
}

private struct NoPage: OperatorError {
    var what: String { "the configuration has no [page] table" }
    var meaning: String? { "the matcher serves no page" }
    var remedy: String? { "add [page] with base-url = \"http://127.0.0.1:8480\", the address of [api]" }
    var exitStatus: BeaconModel.ExitStatus { .configuration }
}

private struct PageElsewhere: OperatorError {
    var origin: String
    var what: String { "the page is at \(origin)" }
    var meaning: String? { "one-time links work only on this machine" }
    var remedy: String? { "sign in at \(origin) with the identity provider of [login]" }
    var exitStatus: BeaconModel.ExitStatus { .usage }
}
