import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import Matching
import SystemIO

struct EraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Removes everything of a subject, and looks that nothing is left.",
        discussion: """
            What a gateway or broker still holds of the subject's past isn't taken any more. The proof covers this store: \
            rows, and with SQLite the bytes of its files; backups, and the write-ahead log of a PostgreSQL server, are \
            their keepers' to clean.
            """)

    @Argument(help: "KIND:ID, such as badge:UUID/MAJOR/MINOR or phone:ID.", transform: MatcherOption.subject)
    var subject: SubjectIdentity

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let configuration = try options.read()
            let store = try InteractionStore.open(
                configuration.store, retention: configuration.retention, creating: false)
            let topicKey = SubjectSecrets(secret: try store.secret("subjects")).topicKey(of: subject)
            let erasure = try store.erase(
                subject, listed: [PositiveScheme.digest(kind: subject.kind, id: subject.id)], topicKey: topicKey,
                now: WallClock.now().microseconds / 1_000_000)
            let rows = erasure.remaining.values.reduce(0, +)
            try Terminal.print("erased \(erasure.interactions) interactions of \(subject)")
            try Terminal.print("rows that name it now: \(rows)")
            for file in erasure.searchedFiles {
                try Terminal.print(
                    "\(file): \(erasure.foundIn.contains(file) ? "STILL HOLDS the id" : "doesn't hold the id")")
            }
            if erasure.places > 0 {
                try Terminal.print("places that go by the same name, which stay: \(erasure.places)")
            }
            if erasure.withdrawsNotice {
                let topic = NoticeTopic.topic(prefix: configuration.topicPrefix, key: topicKey)
                Terminal.note(
                    "what it was told at the broker is withdrawn by the daemon, now or when it runs: \(topic)")
            }
            switch erasure.unsearched {
            case .shortName?:
                Terminal.note("the files weren't searched: so short a name is anywhere in them by chance")
            case .namesPlaces?:
                Terminal.note("the files weren't searched: they hold the name of those places")
            case nil: break
            }
            guard erasure.isComplete else { throw IncompleteErasure(subject: subject) }
        }
    }
}

private struct IncompleteErasure: OperatorError {
    var subject: SubjectIdentity

    var what: String { "something of \(subject) is left" }
    var remedy: String? { "repeat it when nobody else writes to the store" }
    var exitStatus: ExitStatus { .data }
}
