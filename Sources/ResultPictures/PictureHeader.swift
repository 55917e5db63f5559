package enum PictureFormat: String, CaseIterable, Sendable {
    case png, jpeg

    package var name: String { rawValue.uppercased() }
    package var contentType: String { "image/" + rawValue }
}

/// Format and size of a picture, by its header.
package struct PictureHeader: Hashable, Sendable {
    package var format: PictureFormat
    package var width: Int
    package var height: Int
    /// Orientation of the camera by Exif: 1 for upright, 3 for upside down, 6 and 8 for turned by 90 degrees; 2, 4, 5
    /// and 7 for the same mirrored.
    package var orientation: Int

    package init(format: PictureFormat, width: Int, height: Int, orientation: Int = 1) {
        self.format = format
        self.width = width
        self.height = height
        self.orientation = orientation
    }

    /// Size as it is shown: browsers turn pictures as the camera was held.
    package var shownSize: (width: Int, height: Int) {
        orientation >= 5 ? (width: height, height: width) : (width: width, height: height)
    }

    /// Reads the header, and checks the structure of the whole file. Pixels are not decoded.
    ///
    /// - Throws: `PictureError` for anything but one PNG or JPEG picture within `PictureLimits` that fills the file.
    package static func read(_ bytes: [UInt8]) throws(PictureError) -> PictureHeader {
        switch try format(of: bytes) {
        case .png: return try PNGChunk.picture(bytes).header
        case .jpeg: return try JPEGSegment.picture(bytes).header
        }
    }

    /// Tells the format by the first bytes.
    ///
    /// - Throws: `PictureError`.
    static func format(of bytes: [UInt8]) throws(PictureError) -> PictureFormat {
        guard !bytes.isEmpty else { throw PictureError(.empty) }
        guard bytes.count <= PictureLimits.bytes else { throw PictureError(.tooLong) }
        if bytes.starts(with: PNGChunk.signature) { return .png }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        throw PictureError(.otherFormat(OtherFormat.name(of: bytes)))
    }

    /// Checks a size.
    ///
    /// - Throws: `PictureError`.
    static func check(width: Int, height: Int, at offset: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw PictureError(.damaged("a side has no pixels", at: offset)) }
        // The sides are compared first, so that the product cannot overflow.
        guard width <= PictureLimits.side, height <= PictureLimits.side, width * height <= PictureLimits.pixels else {
            throw PictureError(.tooLarge(width: width, height: height))
        }
    }
}

extension [UInt8] {
    /// Returns a big-endian number; `nil` beyond the end.
    ///
    /// - Parameter length: 1 to 4 bytes.
    func number(at offset: Int, length: Int) -> Int? {
        guard offset >= 0, offset <= count - length else { return nil }
        return self[offset..<offset + length].reduce(0) { $0 << 8 | Int($1) }
    }
}
