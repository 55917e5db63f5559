import ArgumentParser
import Backups
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherDaemon
import OperatorText
import SystemIO

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replaces the store by a backup. Stop all matchers of the store first.",
        discussion: """
            The backup is verified before anything is changed, and the restored tables are compared with it before \
            they take the place of the store. Whatever interrupts the command, the store is either as before or the \
            restored one. A store that is not empty is replaced only with --replace, and kept under a name that is \
            printed. Tables of an earlier version are upgraded when the daemon starts.
            Records that were stored after the backup are missing. Gateways with outbox.confirm = "consumer" deliver \
            again what they still hold. Data that was erased after the backup is back: erase it again.
            """)

    @Argument(help: ArgumentHelp("A file that `beacon-matcher backup` made.", valueName: "file"))
    var file: String

    @Flag(help: "Replace a store that is not empty.")
    var replace = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await Terminal.run {
            let location = try options.read().store
            let lines = BackupProgressLines()
            defer { Terminal.progress(nil) }
            let restoration = try StoreRestoration.restore(
                file, to: location, replaces: replace, now: WallClock.now(),
                entry: CommandAudit.entry(.restoredBackup, file.shown(upTo: 200)), report: lines.show)
            Terminal.progress(nil)
            try Terminal.print("restored \(location) from \(file): \(BackupText.line(restoration.manifest))")
            try Terminal.print("verified: the number of rows of each table is as in the backup")
            if let former = restoration.former {
                try Terminal.print("the former store is kept as \(former)")
                Terminal.note("note: it holds personal data; delete it when it is not needed any more")
            }
            switch restoration.erasedSince {
            case 0: break
            case 1:
                Terminal.note("warning: a subject was erased after the backup was made, and is back: erase it again")
            case let count:
                Terminal.note(
                    "warning: \(count) subjects were erased after the backup was made, and are back: erase them again")
            }
        }
    }
}
