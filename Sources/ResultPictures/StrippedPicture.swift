/// A checked picture without what cameras and programs add: place, time, device, comments, thumbnails, profiles.
package struct StrippedPicture: Hashable, Sendable {
    package let header: PictureHeader
    package let bytes: [UInt8]

    /// Checks and strips a picture. Pixels stay as they are; of Exif only the orientation stays.
    ///
    /// - Throws: `PictureError`.
    package init(_ bytes: [UInt8]) throws(PictureError) {
        switch try PictureHeader.format(of: bytes) {
        case .png:
            let (header, chunks) = try PNGChunk.picture(bytes)
            self.header = header
            self.bytes = Self.png(bytes, chunks)
        case .jpeg:
            let (header, segments) = try JPEGSegment.picture(bytes)
            self.header = header
            self.bytes = Self.jpeg(bytes, segments, header.orientation)
        }
    }

    private static func png(_ bytes: [UInt8], _ chunks: [PNGChunk]) -> [UInt8] {
        var stripped = PNGChunk.signature
        stripped.reserveCapacity(bytes.count)
        for chunk in chunks where ["IHDR", "PLTE", "tRNS", "IDAT", "IEND"].contains(chunk.type) {
            stripped += bytes[chunk.whole]
        }
        return stripped
    }

    private static func jpeg(_ bytes: [UInt8], _ segments: [JPEGSegment], _ orientation: Int) -> [UInt8] {
        var stripped: [UInt8] = [0xFF, 0xD8]
        stripped.reserveCapacity(bytes.count)
        stripped += density(bytes, segments)
        if orientation != 1 { stripped += ExifOrientation.segment(orientation) }
        stripped += colours(bytes, segments)
        for segment in segments
        where !JPEGSegment.applications.contains(segment.marker) && segment.marker != JPEGSegment.comment {
            stripped += [0xFF, segment.marker]
            stripped += bytes[segment.rest]
        }
        return stripped + [0xFF, JPEGSegment.endOfImage]
    }

    /// Returns the JFIF segment without its thumbnail, by which decoders know the colour space.
    private static func density(_ bytes: [UInt8], _ segments: [JPEGSegment]) -> [UInt8] {
        let name = Array("JFIF\0".utf8)
        guard
            let segment = segments.first(where: {
                $0.marker == 0xE0 && $0.data.count >= 14 && bytes[$0.data].starts(with: name)
            })
        else { return [] }
        return [0xFF, 0xE0, 0, 16] + Array(bytes[segment.data].prefix(12)) + [0, 0]
    }

    /// Returns the Adobe segment, by which decoders know the colour space.
    private static func colours(_ bytes: [UInt8], _ segments: [JPEGSegment]) -> [UInt8] {
        guard
            let segment = segments.first(where: {
                $0.marker == 0xEE && $0.data.count >= 12 && bytes[$0.data].starts(with: "Adobe".utf8)
            })
        else { return [] }
        return [0xFF, 0xEE, 0, 14] + Array(bytes[segment.data].prefix(12))
    }
}
