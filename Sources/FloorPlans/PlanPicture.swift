/// Picture under the drawing of a floor: PNG or JPEG, by its first bytes.
package struct PlanPicture: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case png = "image/png"
        case jpeg = "image/jpeg"
    }

    package var kind: Kind
    /// Size in pixels, by the header.
    package var width: Int
    package var height: Int

    /// Maximum size of a file in bytes.
    package static let mostBytes = 4_000_000
    /// Maximum number of pixels of a side.
    package static let longestSide = 20_000
    /// Maximum number of pixels.
    package static let mostPixels = 40_000_000

    /// Reads the header of a picture; `nil` if it is neither PNG nor JPEG, or too large.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes, let (kind, width, height) = Self.png(bytes) ?? Self.jpeg(bytes),
            (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height),
            width * height <= Self.mostPixels
        else { return nil }
        self.kind = kind
        self.width = width
        self.height = height
    }

    /// Returns the size in the chunk IHDR, which is the first of a PNG file (ISO/IEC 15948, section 5.6).
    private static func png(_ bytes: [UInt8]) -> (Kind, Int, Int)? {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        guard bytes.count >= 33, bytes.starts(with: start) else { return nil }
        func number(_ first: Int) -> Int { bytes[first..<first + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (.png, number(16), number(20))
    }

    /// Returns the size in the first frame header of a JPEG file (ISO/IEC 10918-1, section B.2.2).
    private static func jpeg(_ bytes: [UInt8]) -> (Kind, Int, Int)? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            // A marker may have fill bytes before it.
            if marker == 0xFF {
                index += 1
                continue
            }
            let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
            guard length >= 2, !(0xD0...0xDA).contains(marker) else { return nil }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            if isFrame {
                return (
                    .jpeg, Int(bytes[index + 7]) << 8 | Int(bytes[index + 8]),
                    Int(bytes[index + 5]) << 8 | Int(bytes[index + 6])
                )
            }
            index += 2 + length
        }
        return nil
    }
}

/// Where a picture lies under the drawing of a floor.
package struct PlanUnderlay: Equatable, Sendable {
    /// Address of the picture.
    package var href: String
    /// Left edge and upper edge on the plan, in metres.
    package var left: Double
    package var top: Double
    /// Size on the plan in metres.
    package var width: Double
    package var height: Double

    /// Greatest side of a picture on a plan, in metres.
    private static let longest = 20_000.0

    /// Places a picture, whose sides are parallel to the axes of the plan.
    ///
    /// - Parameters:
    ///   - size: width and height in pixels.
    ///   - first: a point of the picture in pixels, from its left and upper edges.
    ///   - second: another point.
    ///   - distance: distance of both in metres.
    ///   - place: place of the first point on the plan.
    /// - Returns: `nil` if both points are the same, or if the picture would be larger than any floor.
    package init?(
        href: String, size: (width: Double, height: Double), first: PlanPoint, second: PlanPoint, distance: Double,
        place: PlanPoint
    ) {
        let pixels = first.distance(to: second)
        guard pixels > 0, distance > 0 else { return nil }
        let scale = distance / pixels
        (width, height) = (size.width * scale, size.height * scale)
        (left, top) = (place.x - first.x * scale, place.y + first.y * scale)
        self.href = href
        guard width.isFinite, height.isFinite, max(width, height) <= Self.longest,
            PlanLimits.coordinates.contains(left), PlanLimits.coordinates.contains(top)
        else { return nil }
    }
}
