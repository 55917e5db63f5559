import ArgumentParser
import CommandSupport

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Asks for what a matcher needs, tests each answer, and writes the configuration.",
        discussion: """
            Asks in a terminal for the gateways, the broker, the store, the policy, the page and its identity provider, \
            and keys. Each answer is tested at once: setup connects to the broker and to a PostgreSQL database as the \
            matcher will, and reads what the identity provider says of itself. After a failed test, answer again, keep \
            the answer anyway, or stop. Nothing is written before the end; until then Ctrl-C leaves everything as it \
            was.

            Then writes the configuration and the files of the secrets, creates the matcher's user if mosquitto is \
            installed on this machine, starts the service, and ends with the check of `run --check`.

            Run again, it proposes the present values and changes only what is answered differently. Comments and \
            other keys of the file stay. The former file is kept as FILE.bak-TIME.

            --answers takes answers from a TOML file: [mqtt] places, host, port, tls, ca-file, username, \
            password-file, create-user; [site] time-zone; [store] location, password; [matching] policy; [page] on, \
            base-url; [api] listen; [login] issuer, client-id, client-secret-file, officers; [signing] on; [reports] \
            pseudonym-key. In a terminal, questions that the file does not answer are asked. Without one, proposals \
            count, and a missing answer is an error. keep-anyway = ["broker"] goes on in spite of failed tests: \
            broker, store, identity-provider.

            Exit status: 0 the matcher can run, 1 stopped, 64 an answer is missing, 65 an answer is wrong, 69 a test \
            failed, 77 not permitted, 78 invalid configuration.
            """)

    @Option(help: ArgumentHelp("The configuration to write or to change.", valueName: "file"))
    var config = "/etc/beacon-matcher/matcher.toml"

    @Option(help: ArgumentHelp("A file with answers.", valueName: "file"))
    var answers: String?

    @Flag(help: "Show what would be written and run, and change nothing.")
    var dryRun = false

    @Option(help: .hidden)
    var mosquitto = "/etc/mosquitto"

    func run() async throws {
        try await Terminal.run {
            let session = SetupSession()
            try await session.untilInterrupted {
                try await MatcherSetupTask(
                    session: session, path: config, answersPath: answers, isDryRun: dryRun, mosquitto: mosquitto
                ).run()
            }
        }
    }
}
