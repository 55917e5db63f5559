import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import Matching
import SystemIO

struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret", abstract: "Prints the secret by which a badge's owner asks the API for its risk.",
        discussion: """
            It is derived from the id and the store's own secret, so it is the same each time. Give it to whoever gets the \
            badge, and to nobody else.
            """)

    @Argument(help: "KIND:ID, such as badge:UUID/MAJOR/MINOR.", transform: MatcherOption.subject)
    var subject: SubjectIdentity

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let now = WallClock.now().microseconds / 1_000_000
            try FixedBeaconNamed.refuse([subject], as: .owner, in: store, since: now - 86_400)
            if try store.numbers(of: [subject]).isEmpty {
                Terminal.note("note: no gateway of this store heard \(subject) yet")
            }
            let secrets = SubjectSecrets(secret: try store.secret("subjects"))
            try Terminal.print(secrets.secret(of: subject))
            Terminal.note(
                "its topic: \(NoticeTopic.topic(prefix: configuration.topicPrefix, key: secrets.topicKey(of: subject)))"
            )
        }
    }
}
