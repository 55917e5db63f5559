import ArgumentParser
import CommandSupport
import SystemIO
import UARTConfig

struct FirmwareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "firmware", abstract: "Firmware images of RS9116 modules.",
        subcommands: [Inspect.self, FirmwareUpdateCommand.self])

    struct Inspect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "inspect",
            abstract: "Says what a firmware image is and whether it is undamaged.",
            discussion: """
                `provision` shows a module's firmware version; an image fits modules whose version begins the same.
                Ends with status 65 when the file is damaged or no image.
                """)

        @Argument(help: ArgumentHelp("An image of the manufacturer's firmware package.", valueName: "file.rps"))
        var file: String

        func run() async throws {
            try await Terminal.run {
                try Terminal.print("file       \(file)")
                // Longer than an image may be, so that such a file is called what it is.
                let image = try RPSImage(FileContents.read(file, limit: 16 * RPSImage.longest))
                for line in image.lines { try Terminal.print(line) }
            }
        }
    }
}

extension RPSImage {
    /// What the image is, for a person, in the form of `provision`.
    var lines: [String] {
        [
            "family     \(family.name), silicon \(family.silicon), firmware \(family.versionPrefix)...",
            "version    \(version)",
            "size       \(size) bytes after a header of \(RPSImage.headerLength)",
            "location   \(Hexadecimal.text(flashLocation))",
            "flags      \(Hexadecimal.text(flags))",
            "checksum   \(Hexadecimal.text(checksum)), as the bytes give",
            "signature  " + (isSigned ? "present, not checked" : "none"),
        ]
    }
}
