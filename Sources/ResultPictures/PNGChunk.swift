/// A chunk of a PNG picture.
struct PNGChunk: Equatable {
    /// Four letters.
    var type: String
    /// The chunk with its length and check, in bytes of the file.
    var whole: Range<Int>

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Bits per sample that are allowed, by colour type.
    private static let depths: [Int: Set<Int>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]

    /// Reads the header and lists the chunks of a PNG.
    ///
    /// - Throws: `PictureError` for chunks that are damaged, out of order, or do not fill the file.
    static func picture(_ bytes: [UInt8]) throws(PictureError) -> (header: PictureHeader, chunks: [PNGChunk]) {
        // The size first: a picture that is too large is refused before the rest of it is looked at.
        let header = try Self.header(bytes)
        var chunks: [PNGChunk] = []
        var seen: Set<String> = []
        var offset = signature.count
        while true {
            let chunk = try next(bytes, at: offset)
            guard chunks.count < PictureLimits.chunks else {
                throw PictureError(.damaged("there are more than \(PictureLimits.chunks) chunks", at: offset))
            }
            let isRepeated = !seen.insert(chunk.type).inserted
            switch chunk.type {
            case "IHDR", "PLTE", "tRNS":
                guard !isRepeated else { throw PictureError(.damaged("\(chunk.type) is repeated", at: offset)) }
            case "IDAT":
                guard !isRepeated || chunks.last?.type == "IDAT" else {
                    throw PictureError(.damaged("the pixels are interrupted by another chunk", at: offset))
                }
            case "IEND": break
            default:
                // A capital letter: without the chunk the picture cannot be shown.
                guard chunk.type.first?.isUppercase == false else {
                    throw PictureError(.damaged("the chunk \(chunk.type) is not known", at: offset))
                }
            }
            chunks.append(chunk)
            offset = chunk.whole.upperBound
            guard chunk.type == "IEND" else { continue }
            guard seen.contains("IDAT") else {
                throw PictureError(.damaged("there are no pixels", at: chunk.whole.lowerBound))
            }
            guard offset == bytes.count else { throw PictureError(.trailingBytes(bytes.count - offset)) }
            return (header, chunks)
        }
    }

    private static func header(_ bytes: [UInt8]) throws(PictureError) -> PictureHeader {
        guard let length = bytes.number(at: 8, length: 4), let type = bytes.number(at: 12, length: 4),
            let width = bytes.number(at: 16, length: 4), let height = bytes.number(at: 20, length: 4),
            let depth = bytes.number(at: 24, length: 1), let colour = bytes.number(at: 25, length: 1),
            let methods = bytes.number(at: 26, length: 3)
        else { throw PictureError(.truncated) }
        guard length == 13, type == 0x4948_4452 else {
            throw PictureError(.damaged("the first chunk is not IHDR", at: 8))
        }
        try PictureHeader.check(width: width, height: height, at: 16)
        guard depths[colour]?.contains(depth) == true, methods <= 1 else {
            throw PictureError(.damaged("the kind of pixels is not known", at: 24))
        }
        return PictureHeader(format: .png, width: width, height: height)
    }

    private static func next(_ bytes: [UInt8], at offset: Int) throws(PictureError) -> PNGChunk {
        guard let length = bytes.number(at: offset, length: 4), bytes.number(at: offset + 4, length: 4) != nil else {
            throw PictureError(.truncated)
        }
        let letters = bytes[offset + 4..<offset + 8]
        guard letters.allSatisfy({ 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 }) else {
            throw PictureError(.damaged("the name of a chunk is not made of letters", at: offset + 4))
        }
        let end = offset + 8 + length
        guard let check = bytes.number(at: end, length: 4) else { throw PictureError(.truncated) }
        guard Int(CRC32.of(bytes[offset + 4..<end])) == check else {
            throw PictureError(.damaged("the check of a chunk is wrong", at: end))
        }
        let type = String(decoding: letters, as: UTF8.self)
        guard type != "IEND" || length == 0 else { throw PictureError(.damaged("the end has contents", at: offset)) }
        return PNGChunk(type: type, whole: offset..<end + 4)
    }
}
