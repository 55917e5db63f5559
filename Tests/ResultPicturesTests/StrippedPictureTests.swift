import ResultPictures
import TestValues
import Testing

@Suite("Pictures without metadata") struct StrippedPictureTests {
    private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(text)
    }

    @Test("A PNG keeps its pixels, and loses texts, times, places and profiles") func png() throws {
        let plain = PNGFile(grey: [[1, 2], [3, 4]])
        var file = plain
        for type in ["tEXt", "iTXt", "zTXt", "eXIf", "tIME", "iCCP", "pHYs", "acTL"] {
            file.chunks.insert(PNGFile.chunk(type, Array("secret".utf8)), at: 1)
        }
        let stripped = try StrippedPicture(file.bytes)
        #expect(stripped.bytes == plain.bytes)
        #expect(stripped.header == PictureHeader(format: .png, width: 2, height: 2))
    }

    @Test("A PNG keeps palette and transparency") func palette() throws {
        var file = PNGFile(grey: [[0, 0]])
        file.chunks[0] = PNGFile.header(width: 2, height: 1, colour: 3)
        file.chunks.insert(PNGFile.chunk("PLTE", [1, 2, 3]), at: 1)
        file.chunks.insert(PNGFile.chunk("tRNS", [9]), at: 2)
        #expect(try StrippedPicture(file.bytes).bytes == file.bytes)
    }

    @Test(
        "A JPEG loses camera and place, and keeps its orientation",
        arguments: [true, false], [1, 3, 6, 8] as [UInt8])
    func exif(littleEndian: Bool, orientation: UInt8) throws {
        let exif = JPEGFile.exif(orientation, littleEndian: littleEndian)
        let file = JPEGFile(extra: [exif, JPEGFile.segment(0xFE, Array("a comment".utf8))])
        #expect(contains(file.bytes, "CAM") && contains(file.bytes, "GPS1") && contains(file.bytes, "a comment"))
        let stripped = try StrippedPicture(file.bytes)
        #expect(stripped.header.orientation == Int(orientation))
        for text in ["CAM", "GPS1", "a comment"] { #expect(!contains(stripped.bytes, text), "\(text)") }
        #expect(try PictureHeader.read(stripped.bytes) == stripped.header)
        if orientation == 1 { #expect(stripped.bytes == JPEGFile().bytes) }
    }

    @Test("Metadata between the scans of a JPEG goes too") func between() throws {
        var file = JPEGFile()
        file.segments += [JPEGFile.segment(0xED, Array("secret".utf8)), JPEGFile.scan]
        let stripped = try StrippedPicture(file.bytes)
        #expect(!contains(stripped.bytes, "secret"))
        #expect(stripped.bytes.count == JPEGFile().bytes.count + JPEGFile.scan.count)
    }

    @Test("Of JFIF and Adobe segments only what decoders need is kept") func colours() throws {
        let jfif = Array("JFIF\0".utf8) + [1, 2, 0, 0, 72, 0, 72]
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
        let file = JPEGFile(extra: [
            JPEGFile.segment(0xE0, jfif + [1, 1] + Array("thumbnail".utf8)),
            JPEGFile.segment(0xE0, Array("JFXX\0thumbnail".utf8)),
            JPEGFile.segment(0xEE, adobe + Array("serial number".utf8)),
        ])
        let expected = JPEGFile(extra: [JPEGFile.segment(0xE0, jfif + [0, 0]), JPEGFile.segment(0xEE, adobe)])
        #expect(try StrippedPicture(file.bytes).bytes == expected.bytes)
    }

    @Test("An orientation that is damaged counts as upright") func damagedOrientation() throws {
        let exif = JPEGFile.exif(9, littleEndian: true)
        #expect(try StrippedPicture(JPEGFile(extra: [exif]).bytes).header.orientation == 1)
        for length in 0..<exif.count - 4 {
            let cut = JPEGFile.segment(0xE1, Array(JPEGFile.exif(6, littleEndian: true)[4...].prefix(length)))
            let orientation = try StrippedPicture(JPEGFile(extra: [cut]).bytes).header.orientation
            #expect(orientation == 1 || orientation == 6)
        }
    }
}
