import ArgumentParser
import BeaconModel
import CommandSupport
import GatewayCore
import GatewayDaemon
import Glibc
import OperatorText
import Publishing
import RecordContract
import RecordOutbox
import SystemIO

/// Command that shows, exports or deletes the records that wait for the broker.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Shows, exports or deletes undelivered records.",
        subcommands: [Status.self, Export.self, Purge.self])

    /// Option that locates the outbox.
    struct Place: ParsableArguments {
        @Option(help: ArgumentHelp("The gateway's configuration.", valueName: "file"))
        var config: String

        /// Opens the outbox in the configuration's state directory. When there is none, prints a note and returns
        /// `nil`.
        ///
        /// - Parameter purposes: purposes of the secrets that are needed.
        /// - Throws: among others, an error when the outbox is missing and other files show that it had records.
        func open(
            _ purposes: Set<SecretAccess.Purpose> = []
        ) throws -> (configuration: Configuration, file: OutboxFile)? {
            let configuration = try ConfigurationInUse.load(
                config, secrets: ConfigurationFile.secrets(for: purposes)
            ).configuration
            let state = StateDirectory(path: configuration.stateDirectory)
            try state.checkFormat()
            let file = OutboxFile(path: state.outboxPath)
            if let missing = try file.missing() { throw missing }
            guard file.isThere else {
                Terminal.note("there is no outbox \(file.path): this gateway has not stored any record yet")
                return nil
            }
            return (configuration, file)
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the number and age of the undelivered records, and the space left.")

        @OptionGroup var place: Place

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            try await Terminal.run {
                let opened = try place.open()
                if opened == nil, !json { return }
                let configuration =
                    try opened?.configuration
                    ?? ConfigurationInUse.load(
                        place.config, secrets: ConfigurationFile.secrets(for: [])
                    ).configuration
                let contents = try opened?.file.contents(at: .now()) ?? OutboxFile.Contents()
                let summary = OutboxSummary(contents: contents, rules: configuration.outbox, now: WallClock.now())
                if json { return try Terminal.print(JSON.encode(summary)) }
                for line in summary.lines(file: opened?.file.path ?? "") { try Terminal.print(line) }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Writes all undelivered records as lines of JSON, in order, signed as they would be sent. They stay in the outbox."
        )

        @OptionGroup var place: Place

        @Option(help: ArgumentHelp("Output file (default: standard output).", valueName: "file"))
        var output: String?

        func run() async throws {
            try await Terminal.run {
                guard let (configuration, file) = try place.open([.signing]) else { return }
                let key = configuration.signingKey
                let (written, damaged) =
                    try output.map { try export(file, signedBy: key, to: $0) } ?? export(file, signedBy: key)
                Terminal.note("\(written) records" + (damaged > 0 ? "; \(damaged) damaged ones were skipped" : ""))
            }
        }

        private func export(_ file: OutboxFile, signedBy key: SigningKey?) throws -> (written: Int, damaged: Int) {
            var written = 0
            var failure: OutputClosed?
            let damaged = try file.export { payload in
                do throws(OutputClosed) {
                    // ASCII only, because the output can be a terminal.
                    let line = Array(String(decoding: payload, as: UTF8.self).asciiJSON.utf8)
                    try Terminal.print(Self.signed(line, by: key))
                    written += 1
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
            return (written, damaged)
        }

        private static func signed(_ payload: [UInt8], by key: SigningKey?) -> [UInt8] {
            key.map { MessageTag.adding(to: payload, key: $0, for: .record) } ?? payload
        }

        /// Exports to a file, which is replaced once everything is written.
        private func export(
            _ file: OutboxFile, signedBy key: SigningKey?, to path: String
        ) throws -> (written: Int, damaged: Int) {
            let temporary = path + ".new"
            try FileContents.checkReplaceable(path)
            unlink(temporary)
            var pending: [UInt8] = []
            var written = 0
            var failure: SystemError?
            func flush(isLast: Bool) -> Bool {
                do throws(SystemError) {
                    try FileContents.append(
                        pending, to: temporary, limit: .max, isDurable: isLast, isPrivate: true)
                    pending = []
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
            let damaged = try file.export { payload in
                pending += Self.signed(payload, by: key) + [UInt8(ascii: "\n")]
                written += 1
                return pending.count < 1 << 20 || flush(isLast: false)
            }
            if failure == nil { _ = flush(isLast: true) }
            if let failure {
                unlink(temporary)
                throw failure
            }
            try FileContents.rename(temporary, to: path)
            return (written, damaged)
        }
    }

    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Deletes undelivered records. They are never sent.",
            discussion: "Stop the gateway first. To keep a copy, run `outbox export` first.")

        @OptionGroup var place: Place

        @Option(
            help: ArgumentHelp("Delete records older than this, for example 24h.", valueName: "age"),
            transform: OptionValue.duration)
        var before: Duration?

        @Flag(help: "Delete all records.")
        var all = false

        @Flag(help: "Do not ask for confirmation.")
        var yes = false

        func validate() throws {
            guard all != (before != nil) else { throw ValidationError("Specify either --before or --all.") }
        }

        func run() async throws {
            try await Terminal.run {
                guard let (configuration, file) = try place.open() else { return }
                do {
                    try StateDirectory(path: configuration.stateDirectory).lock()
                } catch is StateDirectoryInUse {
                    throw OutboxInUse(path: file.path)
                }
                guard yes || Terminal.canAsk else { throw PurgeNeedsYes() }
                if !yes {
                    let count = try file.contents(at: .now()).records
                    let which = before.map {
                        "the records, of \(count), that are older than \(DurationText.format($0))"
                    }
                    guard try await Terminal.isAgreed("delete \(which ?? "\(count) records") permanently") else {
                        Terminal.note("nothing was deleted")
                        throw ExitCode.failure
                    }
                }
                let gone = try file.purge(olderThan: before, at: .now())
                let kinds = OutboxPriority.allCases.compactMap { kind in gone[kind].map { "\($0) \(kind.name)" } }
                let total = gone.values.reduce(0, +)
                let details = kinds.isEmpty ? "" : ": " + kinds.joined(separator: ", ")
                try Terminal.print("\(total) \(total == 1 ? "record" : "records") deleted" + details)
            }
        }
    }
}

/// JSON document that describes an outbox.
struct OutboxSummary: Encodable {
    var records: Int
    var bytes: Int
    var capacityBytes: Int
    var oldestAgeSeconds: Int64?
    var oldest: RecordPosition?
    var newest: RecordPosition?
    var updated: Int
    var readings: Int
    var started: Int
    var ended: Int
    var damaged: Int
    /// Confirmation until which a record is kept: `broker` or `consumer`.
    var confirm: String

    init(contents: OutboxFile.Contents, rules: OutboxRules, now: Timestamp) {
        records = contents.records
        bytes = contents.bytes
        capacityBytes = rules.bytes
        oldestAgeSeconds = contents.oldestEntryAt.map { max(.zero, now - $0).components.seconds }
        oldest = contents.oldest
        newest = contents.newest
        updated = contents.byPriority[.updated, default: 0]
        readings = contents.byPriority[.readings, default: 0]
        started = contents.byPriority[.started, default: 0]
        ended = contents.byPriority[.ended, default: 0]
        damaged = contents.damaged
        confirm = rules.confirmation.rawValue
    }

    func lines(file: String) -> [String] {
        let share = capacityBytes > 0 ? Double(bytes) / Double(capacityBytes) * 100 : 0
        var lines = [
            "file        \(file)", "records     \(records)",
            "size        \(ByteSizeText.format(bytes)) of \(ByteSizeText.format(capacityBytes)), "
                + "\(Format.fixed(share, 1)) %",
            "oldest      " + (oldestAgeSeconds.map { Self.age($0) + " old" } ?? "-"), "updated     \(updated)",
            "readings    \(readings)", "started     \(started)", "ended       \(ended)",
            "kept until  "
                + (confirm == "consumer"
                    ? "the consumer has stored it, sent or not" : "the broker has acknowledged it"),
        ]
        if damaged > 0 { lines.append("damaged     \(damaged): the gateway drops them when it starts") }
        return lines
    }

    private static func age(_ seconds: Int64) -> String {
        seconds < 120 ? "\(seconds) s" : seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}

/// Error when a running gateway uses the outbox to be purged.
struct OutboxInUse: OperatorError {
    var path: String

    var what: String { "a gateway is running with the outbox \(path)" }
    var meaning: String? { "it would continue to send the deleted records" }
    var remedy: String? {
        "stop the gateway (systemctl stop beacon-gateway), purge the outbox, and start the gateway again"
    }
    var exitStatus: ExitStatus { .unavailable }
}

/// Error when a purge needs consent and there is no terminal to ask on.
struct PurgeNeedsYes: OperatorError {
    var what: String { "deleting records requires confirmation, and there is no terminal to ask on" }
    var remedy: String? { "add --yes" }
    var exitStatus: ExitStatus { .usage }
}
