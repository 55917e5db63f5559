import ArgumentParser
import CommandSupport
import Diagnostics
import SystemIO

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records received packets, for `replay`, btmon, Wireshark or a bug report.",
        discussion: """
            Writes advertising reports and nothing else, in btsnoop's Linux monitor format. An earlier recording of \
            the same name is kept as FILE.1.btsnoop and so on, as long as there are no more than --files. \
            Ctrl-C ends it.

            --pseudonymise replaces addresses, identifiers, names and payloads, the same by the same, under a key that \
            is forgotten at the end. Forms, times, RSSI, services and companies stay.

            EXAMPLE: beacon-gateway record air.btsnoop --duration 5m --pseudonymise
            """)

    @Argument(help: ArgumentHelp("The btsnoop file to write.", valueName: "file"))
    var file: String

    @OptionGroup var source: ReportSourceOptions

    @Option(
        help: ArgumentHelp("Size of one file at most (default: 100MB).", valueName: "size"),
        transform: OptionValue.recordingSize)
    var maxSize = 100_000_000

    @Option(
        help: ArgumentHelp("Number of files at most (default: 4).", valueName: "count"),
        transform: OptionValue.recordingFiles)
    var files = 4

    @Flag(help: "Replace what tells who was heard.")
    var pseudonymise = false

    func run() async throws {
        try await Terminal.run {
            let task = RecordingTask(
                names: RecordingNames(path: file, count: files), maximumSize: maxSize, replay: source.replay,
                isPseudonymous: pseudonymise, isInteractive: Terminal.isInteractive)
            if let replay = source.replay {
                try task.record(capture: replay)
            } else {
                try await source.scan { try await task.record($0) }
            }
        }
    }
}
