import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import Matching
import SystemIO

struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Prints the secret with which the owner of a badge queries the API for its risk.",
        discussion: """
            The secret is derived from the id and the store's own secret, so it is the same each time, until --rotate \
            replaces it or the subject is erased. Give it only to the owner of the badge. Before a badge is passed on, \
            erase it, then give the new owner the secret that this command prints. Also prints the topic of notices \
            and, with localisation.publish, the topic of the badge's place.
            """)

    @Argument(help: "KIND:ID, such as badge:UUID/MAJOR/MINOR.", transform: MatcherOption.subject)
    var subject: SubjectIdentity

    @Flag(help: "Create a new secret first: the previous one and its topic become invalid.")
    var rotate = false

    @Flag(help: "Revoke the present secret, and print none.")
    var revoke = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if rotate, revoke { throw ValidationError("specify --rotate or --revoke, not both") }
    }

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try configuration.openStore(creating: false)
            let now = WallClock.now().microseconds / 1_000_000
            try FixedBeaconNamed.refuse([subject], as: .owner, in: store, since: now - 86_400)
            if try store.numbers(of: [subject]).isEmpty {
                Terminal.note("note: no gateway of this store has received \(subject) yet")
            }
            let secrets = SubjectSecrets(secret: try store.secret("subjects"))
            var version = try store.secretVersions(of: [subject])[subject] ?? 0
            if rotate || revoke {
                version = try store.renewSecret(
                    of: subject, revoking: revoke, topicKey: secrets.topicKey(of: subject, version: version), now: now,
                    audit: CommandAudit.entry(revoke ? .revokedSecret : .renewedSecret, subject.description))
            } else {
                try store.noteCommand(.sawSecret, subject.description)
            }
            if revoke {
                try Terminal.print("\(subject) no longer has a secret")
                return
            }
            guard version >= 0 else { throw RevokedSecret(subject: subject) }
            try Terminal.print(secrets.secret(of: subject, version: version))
            let key = secrets.topicKey(of: subject, version: version)
            Terminal.note("topic: \(NoticeTopic.topic(prefix: configuration.topicPrefix, key: key))")
            if configuration.localisation?.publishes == true {
                let key = secrets.locationKey(of: subject, version: version)
                Terminal.note(
                    "place: \(LocationTopics.topic(prefix: configuration.topicPrefix, floor: "+/+/+", key: key))")
            }
        }
    }
}

private struct RevokedSecret: OperatorError {
    var subject: SubjectIdentity

    var what: String { "the secret of \(subject) was revoked" }
    var remedy: String? { "create a new one with --rotate" }
    var exitStatus: BeaconModel.ExitStatus { .data }
}
