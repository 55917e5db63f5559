import BeaconModel
import ResultPictures
import TestValues
import Testing

@Suite("Headers of pictures") struct PictureHeaderTests {
    private func reason(_ bytes: [UInt8]) -> PictureError.Reason? {
        do throws(PictureError) {
            _ = try PictureHeader.read(bytes)
            return nil
        } catch {
            return error.reason
        }
    }

    private static let small = PNGFile(grey: [[0, 255, 0], [255, 0, 255]])

    private static func png(width: Int, height: Int) -> [UInt8] {
        var file = small
        file.chunks[0] = PNGFile.header(width: width, height: height)
        return file.bytes
    }

    @Test("Format and size of a PNG and of a JPEG are read") func sizes() throws {
        #expect(try PictureHeader.read(Self.small.bytes) == PictureHeader(format: .png, width: 3, height: 2))
        for marker: UInt8 in 0xC0...0xC2 {
            var file = JPEGFile()
            file.segments = [JPEGFile.frame(marker, width: 4000, height: 3000), JPEGFile.scan]
            #expect(try PictureHeader.read(file.bytes) == PictureHeader(format: .jpeg, width: 4000, height: 3000))
        }
    }

    @Test("The size is limited", arguments: [(60_000, 60_000), (20_001, 1), (1, 20_001), (6400, 6300)])
    func tooLarge(width: Int, height: Int) {
        #expect(reason(Self.png(width: width, height: height)) == .tooLarge(width: width, height: height))
        #expect(reason(JPEGFile(width: width, height: height).bytes) == .tooLarge(width: width, height: height))
    }

    @Test("The largest allowed size is accepted") func largest() throws {
        #expect(try PictureHeader.read(Self.png(width: 20_000, height: 2000)).width == 20_000)
    }

    @Test("A size of 0, or of more than the format can have, is refused", arguments: [0, 1 << 31, (1 << 32) - 1])
    func impossible(side: Int) {
        #expect(reason(Self.png(width: side, height: 10)) != nil)
        #expect(reason(Self.png(width: 10, height: side)) != nil)
        #expect(reason(JPEGFile(width: side & 0xFFFF, height: 0).bytes) != nil)
    }

    @Test("A file that is too long or empty is refused") func lengths() {
        #expect(reason([]) == .empty)
        #expect(reason(Self.small.bytes + Array(repeating: 0, count: 10_000_000)) == .tooLong)
    }

    @Test(
        "Other formats are refused by name",
        arguments: [
            ("%PDF-1.7\n", "a PDF document"), ("GIF89a", "a GIF picture"), ("II*\0", "a TIFF picture"),
            ("MM\0*", "a TIFF picture"), ("RIFF1234WEBPVP8 ", "a WebP picture"), ("1234ftypheic", "a HEIC picture"),
            ("1234ftypavif", "an AVIF picture"), ("<?xml version=\"1.0\"?><svg ", "an SVG drawing"),
            ("PK\u{3}\u{4}", "a ZIP archive or an office document"), ("BM", "a BMP picture"),
            ("<!DOCTYPE html>", "a web page"), ("hello", nil),
        ] as [(String, String?)])
    func otherFormats(beginning: String, name: String?) {
        #expect(reason(Array(beginning.utf8)) == .otherFormat(name))
    }

    @Test("A PNG that ends early is refused wherever it ends") func truncatedPNG() {
        let bytes = Self.small.bytes
        for length in 1..<bytes.count { #expect(reason(Array(bytes.prefix(length))) != nil, "\(length)") }
    }

    @Test("A JPEG that ends early is refused wherever it ends") func truncatedJPEG() {
        let bytes = JPEGFile(extra: [JPEGFile.exif(6, littleEndian: true)]).bytes
        for length in 1..<bytes.count { #expect(reason(Array(bytes.prefix(length))) != nil, "\(length)") }
    }

    @Test("What follows the end of a picture is refused") func polyglots() {
        let archive = Array("PK\u{3}\u{4}".utf8)
        #expect(reason(Self.small.bytes + archive) == .trailingBytes(4))
        #expect(reason(JPEGFile().bytes + archive) == .trailingBytes(4))
        #expect(reason(JPEGFile().bytes + JPEGFile().bytes) != nil)
    }

    @Test("A chunk that says that it is longer than the file is refused") func longChunk() {
        var file = Self.small
        file.chunks[1].replaceSubrange(0..<4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(reason(file.bytes) == .truncated)
    }

    @Test("A chunk with a wrong check is refused") func wrongCheck() {
        var file = Self.small
        file.chunks[1][10] ^= 1
        guard case .damaged(let mistake, _)? = reason(file.bytes) else {
            Issue.record("it was accepted")
            return
        }
        #expect(mistake == "the check of a chunk is wrong")
    }

    @Test("Chunks that are repeated, missing, unknown or out of order are refused") func orders() {
        let file = Self.small
        let (header, data, end) = (file.chunks[0], file.chunks[1], file.chunks[2])
        let comment = PNGFile.chunk("tEXt", Array("Comment\0x".utf8))
        let wrong: [[[UInt8]]] = [
            [data, end], [header, end], [header, header, data, end], [header, data, comment, data, end],
            [header, PNGFile.chunk("ABCD", []), data, end], [header, data, PNGFile.chunk("IEND", [1])],
            [header, PNGFile.chunk("a1cd", []), data, end], [comment, header, data, end],
            [PNGFile.header(width: 3, height: 2, depth: 3), data, end],
            [PNGFile.header(width: 3, height: 2, depth: 8, colour: 5), data, end],
        ]
        for chunks in wrong {
            var changed = file
            changed.chunks = chunks
            #expect(reason(changed.bytes) != nil, "\(chunks.map { String(decoding: $0[4..<8], as: UTF8.self) })")
        }
        var commented = file
        commented.chunks = [header, comment, data, data, comment, end]
        #expect(reason(commented.bytes) == nil)
    }

    @Test("Tens of thousands of chunks and a thousand segments are refused") func many() {
        var file = Self.small
        file.chunks.insert(contentsOf: Array(repeating: PNGFile.chunk("tEXt", []), count: 30_000), at: 1)
        #expect(reason(file.bytes) != nil)
        let applications = Array(repeating: JPEGFile.segment(0xE2, [1, 2, 3]), count: 1000)
        #expect(reason(JPEGFile(extra: applications).bytes) != nil)
    }

    @Test("JPEGs of kinds that decoders rarely get are refused") func kinds() {
        let frame = JPEGFile.frame(width: 8, height: 8)
        for marker: UInt8 in [0xC3, 0xC5, 0xC9, 0xCC, 0xDC, 0xDE, 0xF0, 0x01, 0xD8] {
            var file = JPEGFile()
            file.segments = [JPEGFile.frame(marker, width: 8, height: 8), frame, JPEGFile.scan]
            #expect(reason(file.bytes) != nil, "\(marker)")
        }
        for segments in [[JPEGFile.scan], [frame], [frame, frame, JPEGFile.scan], [JPEGFile.scan, frame]] {
            var file = JPEGFile()
            file.segments = segments
            #expect(reason(file.bytes) != nil)
        }
    }

    @Test("A refused picture is damaged data, with what to do") func advice() {
        let error = PictureError(.tooLarge(width: 60_000, height: 60_000))
        #expect(error.exitStatus == .data)
        #expect(
            error.what
                == "the picture has 60000 x 60000 pixels; at most 40 million, and 20000 in one direction, are allowed")
        #expect(error.remedy == "use a smaller picture")
    }

    @Test("The shown size is that of the turned picture") func turned() throws {
        for (orientation, width, height) in [(1, 40, 30), (3, 40, 30), (6, 30, 40), (8, 30, 40)] as [(UInt8, Int, Int)]
        {
            let file = JPEGFile(width: 40, height: 30, extra: [JPEGFile.exif(orientation, littleEndian: true)])
            let shown = try PictureHeader.read(file.bytes).shownSize
            #expect([shown.width, shown.height] == [width, height], "\(orientation)")
        }
    }
}
