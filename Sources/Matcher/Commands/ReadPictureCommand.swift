import ArgumentParser
import BeaconModel
import CommandSupport
import Glibc
import OperatorText
import PictureReading
import RecordContract
import ResultPictures
import SystemIO

struct ReadPictureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-picture",
        abstract: "Shows what a picture of a test result seems to say.",
        discussion: """
            Looks for QR codes, and for the result, the day of sampling and the number of the order in English and German \
            text. It is a suggestion that a person has to confirm, and nothing is stored. The picture is opened in a \
            sandbox without network and files; without the sandbox (bubblewrap) it is not opened.
            """)

    @Argument(help: "A PNG or JPEG file of at most 10 MB and 40 megapixels.")
    var file: String

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() async throws {
        try await Terminal.run {
            let picture = try StrippedPicture(Self.contents(file))
            let today = WallClock.now().microseconds / 1_000_000 / 86_400
            // In some time zones it is tomorrow already.
            let readout = try await PictureReader().read(picture, latest: today + 1)
            if json { return try Terminal.print(JSON.encode(PictureDocument(readout))) }
            for line in Self.lines(readout) { try Terminal.print(line) }
            if readout.isIncomplete {
                Terminal.note("note: the picture could not be read to its end: it is damaged, or takes too long")
            }
            Terminal.note(
                readout.suggestion.isEmpty && readout.codes.isEmpty
                    ? "nothing was read; enter the result by hand" : "this is a suggestion: compare it with the picture"
            )
        }
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        do throws(SystemError) {
            return try FileContents.read(path, limit: PictureLimits.bytes)
        } catch {
            if error.errorNumber == EFBIG { throw PictureError(.tooLong) }
            throw UnreadableFile(error: error)
        }
    }

    private static func lines(_ readout: PictureReadout) -> [String] {
        let header = readout.header
        var lines = ["picture: \(header.format.name), \(header.width) x \(header.height) pixels"]
        lines += readout.codes.map { "QR code (\($0.kind.rawValue)): \($0.text)" }
        let suggestion = readout.suggestion
        lines += [
            suggestion.outcome.map { "result: \($0.rawValue)" },
            suggestion.testDay.map { "sample taken: \(DayText.text($0))" },
            suggestion.orderNumber.map { "order number: \($0.text)" },
        ].compactMap(\.self)
        return lines
    }
}

/// Output of `read-picture --json`.
private struct PictureDocument: Encodable {
    struct Code: Encodable {
        var kind: String
        var text: String
    }

    var format: String
    var width: Int
    var height: Int
    var codes: [Code]
    var result: String?
    var testDate: String?
    var orderNumber: String?
    var isIncomplete: Bool

    init(_ readout: PictureReadout) {
        format = readout.header.format.rawValue
        width = readout.header.width
        height = readout.header.height
        codes = readout.codes.map { Code(kind: $0.kind.rawValue, text: $0.text) }
        result = readout.suggestion.outcome?.rawValue
        testDate = readout.suggestion.testDay.map { DayText.text($0) }
        orderNumber = readout.suggestion.orderNumber?.text
        isIncomplete = readout.isIncomplete
    }
}
