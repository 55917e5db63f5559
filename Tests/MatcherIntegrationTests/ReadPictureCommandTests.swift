import TestSupport
import TestValues
import Testing

@Suite("Pictures from the command line", .timeLimit(.minutes(5))) struct ReadPictureCommandTests {
    enum Hostile: String, CaseIterable {
        case manyPixels, pdf, gif, polyglot, truncated, empty, long

        var file: (bytes: [UInt8], reason: String) {
            var picture = PNGFile(grey: [[0]])
            switch self {
            case .manyPixels:
                picture.chunks[0] = PNGFile.header(width: 60_000, height: 60_000)
                return (picture.bytes, "60000 x 60000 pixels")
            case .pdf: return (Array("%PDF-1.7\n".utf8), "a PDF document")
            case .gif: return (Array("GIF89a".utf8), "a GIF picture")
            case .polyglot: return (picture.bytes + Array("PK".utf8), "2 bytes follow")
            case .truncated: return (Array(picture.bytes.dropLast(5)), "ends before the picture does")
            case .empty: return ([], "the file is empty")
            case .long: return (Array(repeating: 0, count: 10_000_001), "larger than 10 MB")
            }
        }
    }

    @Test("A hostile file is refused with its reason", arguments: Hostile.allCases)
    func refused(hostile: Hostile) async throws {
        let (bytes, reason) = hostile.file
        let directory = try TemporaryDirectory()
        let start = ContinuousClock.now
        let result = try await TestMatcher.run(["read-picture", try directory.write("picture.png", bytes)])
        #expect(result.status == 65 && result.output == [])
        #expect(result.errorOutput.first?.contains(reason) == true, "\(result.errorOutput)")
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test("A picture without text gives nothing, as text and as JSON") func empty() async throws {
        let directory = try TemporaryDirectory()
        let white = Array(repeating: Array(repeating: UInt8(255), count: 300), count: 200)
        let file = try directory.write("picture.png", PNGFile(grey: white).bytes)
        let text = try await TestMatcher.run(["read-picture", file])
        #expect(text.status == 0 && text.output == ["picture: PNG, 300 x 200 pixels"])
        #expect(text.errorOutput.last == "nothing was read; enter the result by hand")
        let json = try await TestMatcher.run(["read-picture", file, "--json"])
        #expect(
            json.output == [#"{"codes":[],"format":"png","height":200,"isIncomplete":false,"width":300}"#])
    }

    @Test("A file that is not there is no picture") func missing() async throws {
        let result = try await TestMatcher.run(["read-picture", "/nowhere/picture.png"])
        #expect(result.status == 74)
    }
}
