/// A segment of a JPEG picture: a marker, its data, and for a scan the pixels.
struct JPEGSegment: Equatable {
    var marker: UInt8
    /// Data after the length, in bytes of the file.
    var data: Range<Int>
    /// The segment from its length on, with the pixels of a scan.
    var rest: Range<Int>

    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
    static let comment: UInt8 = 0xFE
    static let endOfImage: UInt8 = 0xD9
    private static let startOfScan: UInt8 = 0xDA
    /// Baseline, extended and progressive, with Huffman codes.
    private static let frames: ClosedRange<UInt8> = 0xC0...0xC2
    /// Huffman tables, quantisation tables, and the interval of restarts.
    private static let tables: Set<UInt8> = [0xC4, 0xDB, 0xDD]

    /// Reads the header and lists the segments between the first marker and the end of a JPEG.
    ///
    /// - Throws: `PictureError` for segments that are damaged, out of order, or do not fill the file.
    static func picture(_ bytes: [UInt8]) throws(PictureError) -> (header: PictureHeader, segments: [JPEGSegment]) {
        var segments: [JPEGSegment] = []
        var size: PictureHeader?
        var scans = 0
        var orientation: Int?
        var offset = 2
        while let segment = try next(bytes, at: offset) {
            guard segments.count < PictureLimits.segments else {
                throw PictureError(.damaged("there are more than \(PictureLimits.segments) segments", at: offset))
            }
            switch segment.marker {
            case frames:
                guard size == nil else { throw PictureError(.damaged("there are two pictures", at: offset)) }
                size = try frame(bytes, segment)
            case startOfScan:
                scans += 1
                guard size != nil, scans <= PictureLimits.scans else {
                    throw PictureError(
                        .damaged(size == nil ? "pixels precede the size" : "there are too many scans", at: offset))
                }
            case 0xE1: orientation = orientation ?? ExifOrientation.read(Array(bytes[segment.data]))
            case applications, comment: break
            default:
                guard tables.contains(segment.marker) else {
                    throw PictureError(.damaged("this kind of JPEG is not supported", at: offset))
                }
            }
            segments.append(segment)
            offset = segment.rest.upperBound
        }
        guard var header = size, scans > 0 else { throw PictureError(.damaged("there are no pixels", at: offset)) }
        header.orientation = orientation ?? 1
        return (header, segments)
    }

    /// Reads a segment; `nil` at the end of the picture, which must be the end of the file.
    private static func next(_ bytes: [UInt8], at offset: Int) throws(PictureError) -> JPEGSegment? {
        guard offset < bytes.count else { throw PictureError(.truncated) }
        guard bytes[offset] == 0xFF else { throw PictureError(.damaged("a marker is missing", at: offset)) }
        // Markers can be preceded by any number of these bytes.
        guard let position = bytes[offset...].firstIndex(where: { $0 != 0xFF }) else { throw PictureError(.truncated) }
        let marker = bytes[position]
        guard marker != endOfImage else {
            guard position == bytes.count - 1 else {
                throw PictureError(.trailingBytes(bytes.count - 1 - position))
            }
            return nil
        }
        guard marker >= 0xC0, !(0xD0...0xD8).contains(marker) else {
            throw PictureError(.damaged("the marker is not known", at: position))
        }
        guard let length = bytes.number(at: position + 1, length: 2), position + 1 + length <= bytes.count else {
            throw PictureError(.truncated)
        }
        guard length >= 2 else { throw PictureError(.damaged("a segment is too short", at: position)) }
        let end = position + 1 + length
        let last = marker == startOfScan ? try endOfPixels(bytes, from: end) : end
        return JPEGSegment(marker: marker, data: position + 3..<end, rest: position + 1..<last)
    }

    /// Returns where the marker after the pixels of a scan begins.
    private static func endOfPixels(_ bytes: [UInt8], from start: Int) throws(PictureError) -> Int {
        var offset = start
        while offset + 1 < bytes.count {
            if bytes[offset] != 0xFF {
                offset += 1
            } else if bytes[offset + 1] == 0 || 0xD0...0xD7 ~= bytes[offset + 1] {
                // A pixel value of 0xFF, or a restart.
                offset += 2
            } else {
                return offset
            }
        }
        throw PictureError(.truncated)
    }

    private static func frame(_ bytes: [UInt8], _ segment: JPEGSegment) throws(PictureError) -> PictureHeader {
        let start = segment.data.lowerBound
        guard segment.data.count >= 6, let height = bytes.number(at: start + 1, length: 2),
            let width = bytes.number(at: start + 3, length: 2)
        else { throw PictureError(.damaged("the size is missing", at: start)) }
        let components = Int(bytes[start + 5])
        guard bytes[start] == 8, [1, 3, 4].contains(components), segment.data.count == 6 + 3 * components else {
            throw PictureError(.damaged("the kind of pixels is not known", at: start))
        }
        try PictureHeader.check(width: width, height: height, at: start + 1)
        return PictureHeader(format: .jpeg, width: width, height: height)
    }
}
