import ArgumentParser
import Backups
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import OperatorText
import RecordContract
import SystemIO

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copies the store to a file while the daemon runs, and verifies the copy.",
        discussion: """
            The file holds the whole store as of one moment: records, reports, people, uploads, drawn floors, and the \
            secrets of the store. It does not hold the configuration, or files that the configuration names, such as \
            keys. It appears when it is complete, and only its owner can read it. A store in PostgreSQL is copied by \
            pg_dump, of the Debian package postgresql-client.
            A backup keeps data that is erased or expires in the store. Delete old backups.
            With --verify, checks a backup: its checksum, the database in it, and the number of rows of each table.
            """)

    @Argument(help: ArgumentHelp("The file to write or, with --verify, to check.", valueName: "file"))
    var file: String

    @Flag(help: "Check an existing backup; no store is needed.")
    var verify = false

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(help: "Print one JSON document that describes the backup.")
    var json = false

    @Option(help: ArgumentHelp("The matcher's configuration.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The store, if there is no configuration: the path of an SQLite file, or a PostgreSQL connection string.",
            valueName: "location"))
    var store: String?

    func validate() throws {
        if verify {
            guard config == nil, store == nil, !force else {
                throw ValidationError("--verify takes the file alone, without --config, --store or --force")
            }
        } else {
            try options.validate()
        }
    }

    private var options: StoreOptions {
        var options = StoreOptions()
        options.config = config
        options.store = store
        return options
    }

    func run() async throws {
        try await Terminal.run {
            let lines = BackupProgressLines()
            defer { Terminal.progress(nil) }
            if verify {
                let manifest = try StoreBackup.verify(file, report: lines.show)
                try show(manifest, "verified: checksum, database and number of rows are as when it was made")
                return
            }
            let location = try options.read().store
            let manifest = try StoreBackup.make(
                of: location, to: file, replaces: force, now: WallClock.now(),
                entry: CommandAudit.entry(.madeBackup, file.shown(upTo: 200)), report: lines.show)
            try show(manifest, "verified")
            Terminal.note(
                "note: keep it as safe as the store; it keeps data that is erased or expires later, until it is "
                    + "deleted. The configuration and key files are not in it")
        }
    }

    private func show(_ manifest: BackupManifest, _ verdict: String) throws {
        Terminal.progress(nil)
        if json { return try Terminal.print(JSON.encode(manifest)) }
        try Terminal.print("\(file): \(BackupText.line(manifest))")
        try Terminal.print(verdict)
    }
}

/// Words about backups.
enum BackupText {
    /// Returns a description of a backup in one line.
    static func line(_ manifest: BackupManifest) -> String {
        "\(manifest.kind.name), \(ByteSizeText.format(manifest.bytes)), schema version \(manifest.schemaVersion), "
            + "\(manifest.rows) rows in \(manifest.tables.count) tables, made "
            + "\(manifest.made.shown(upTo: 40)) by beacon-matcher \(manifest.program.shown(upTo: 40))"
    }

    /// Returns how far a backup or restoration is.
    static func progress(_ progress: BackupProgress) -> String {
        switch progress {
        case .pages(let done, let all): "copying: \(percent(done, all)) of \(all) pages"
        case .dumped(let bytes): "pg_dump: \(ByteSizeText.format(bytes)) written"
        case .copied(let done, let all): "copying: \(percent(done, all)) of \(ByteSizeText.format(all))"
        case .checksum(let done, let all): "checksum: \(percent(done, all)) of \(ByteSizeText.format(all))"
        case .checking: "checking the copy"
        case .loading: "loading the tables"
        }
    }

    private static func percent(_ done: Int, _ all: Int) -> String {
        all > 0 ? "\(Int((Double(done) / Double(all) * 100).rounded(.down))) %" : "0 %"
    }
}

/// Progress on a terminal, at most ten times a second.
final class BackupProgressLines {
    private var shown: ContinuousClock.Instant?

    func show(_ progress: BackupProgress) {
        let now = ContinuousClock.now
        switch progress {
        case .checking, .loading: break
        default: if let shown, now - shown < .milliseconds(100) { return }
        }
        shown = now
        Terminal.progress(BackupText.progress(progress))
    }
}
