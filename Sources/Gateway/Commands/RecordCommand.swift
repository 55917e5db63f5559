import ArgumentParser
import CommandSupport
import Diagnostics
import SystemIO

struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Records received packets, for `replay`, btmon, Wireshark or a bug report.",
        discussion: """
            Writes only advertising reports, in btsnoop's Linux monitor format. An earlier recording with the same \
            name is kept as FILE.1.btsnoop and so on, up to --files files. Ctrl-C ends the recording.

            --pseudonymise replaces addresses, identifiers, names and payloads consistently, under a key that is \
            discarded at the end. Formats, times, RSSI, services and companies are kept.

            EXAMPLE: beacon-gateway record air.btsnoop --duration 5m --pseudonymise
            """)

    @Argument(help: ArgumentHelp("The btsnoop file to write.", valueName: "file"))
    var file: String

    @OptionGroup var source: ReportSourceOptions

    @Option(
        help: ArgumentHelp("Maximum size of a file (default: 100MB).", valueName: "size"),
        transform: OptionValue.recordingSize)
    var maxSize = 100_000_000

    @Option(
        help: ArgumentHelp("Maximum number of files (default: 4).", valueName: "count"),
        transform: OptionValue.recordingFiles)
    var files = 4

    @Flag(help: "Replace everything that identifies the devices received.")
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
