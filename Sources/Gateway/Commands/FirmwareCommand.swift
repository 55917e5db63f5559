import ArgumentParser
import CommandSupport
import ModuleDialogues
import ModuleEmulator
import RecordContract
import SystemIO

struct FirmwareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firmware", abstract: "Examines and installs firmware images of RS9116 modules.",
        subcommands: [Inspect.self, FirmwareUpdateCommand.self])

    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect",
            abstract: "Describes a firmware image and checks its integrity.",
            discussion: """
                `provision` shows the firmware version of a module. An image fits modules whose version begins with \
                the same text.
                The exit status is 65 if the file is damaged or not a firmware image.
                """)

        @Argument(help: ArgumentHelp("A firmware image from the manufacturer's package.", valueName: "file.rps"))
        var file: String

        @Flag(help: "Print one line of JSON.")
        var json = false

        func run() async throws {
            try await Terminal.run {
                if !json { try Terminal.print("file       \(file)") }
                // The limit is longer than an image can be, so that an oversized file is reported as such.
                let image = try RPSImage(FileContents.read(file, limit: 16 * RPSImage.longest))
                if json { return try Terminal.print(JSON.encode(ImageDocument(image, file: file))) }
                for line in image.lines { try Terminal.print(line) }
            }
        }
    }
}

/// JSON document that `firmware inspect --json` prints.
private struct ImageDocument: Encodable {
    var file: String
    var family: String
    var silicon: String
    var version: String
    /// Version as the running firmware reports it.
    var firmware: String
    /// Size without the header, in bytes.
    var size: Int
    var location: String
    var flags: String
    var checksum: String
    /// Whether the image has a signature. The signature is not verified.
    var isSigned: Bool

    init(_ image: RPSImage, file: String) {
        self.file = file
        family = image.family.name
        silicon = image.family.silicon
        version = image.version
        firmware = image.firmwareVersion
        size = image.size
        location = Hexadecimal.text(image.flashLocation)
        flags = Hexadecimal.text(image.flags)
        checksum = Hexadecimal.text(image.checksum)
        isSigned = image.isSigned
    }
}

extension RPSImage {
    /// Description of the image for the terminal, in the format of `provision`.
    var lines: [String] {
        [
            "family     \(family.name), silicon \(family.silicon), firmware \(family.versionPrefix)...",
            "version    \(version)",
            "size       \(size) bytes after a header of \(RPSImage.headerLength)",
            "location   \(Hexadecimal.text(flashLocation))",
            "flags      \(Hexadecimal.text(flags))",
            "checksum   \(Hexadecimal.text(checksum)), matches the contents",
            "signature  " + (isSigned ? "present, not checked" : "none"),
        ]
    }
}
