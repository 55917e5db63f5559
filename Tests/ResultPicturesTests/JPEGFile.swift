/// A JPEG picture by its segments. Its pixels cannot be decoded.
struct JPEGFile {
    var segments: [[UInt8]]

    var bytes: [UInt8] { [0xFF, 0xD8] + segments.flatMap(\.self) + [0xFF, 0xD9] }

    init(width: Int = 40, height: Int = 30, extra: [[UInt8]] = []) {
        segments = extra + [Self.frame(width: width, height: height), Self.scan]
    }

    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        return [0xFF, marker, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + data
    }

    static func frame(_ marker: UInt8 = 0xC0, width: Int, height: Int) -> [UInt8] {
        let sides = [height, width].flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        return segment(marker, [8] + sides + [1, 1, 0x11, 0])
    }

    /// A scan whose pixels have a value of 0xFF and a restart.
    static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]

    /// An Exif segment with a camera's name, an orientation and a place.
    static func exif(_ orientation: UInt8, littleEndian: Bool) -> [UInt8] {
        func number(_ value: Int, _ length: Int) -> [UInt8] {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return littleEndian ? bytes : bytes.reversed()
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
        }
        let entries =
            entry(0x010F, 2, 4, Array("CAM\0".utf8)) + entry(0x0112, 3, 1, number(Int(orientation), 2) + [0, 0])
            + entry(0x8825, 4, 1, number(50, 4))
        let place = number(1, 2) + entry(0x0001, 2, 2, Array("GPS1".utf8)) + number(0, 4)
        let tiff =
            Array((littleEndian ? "II*\0" : "MM\0*").utf8) + number(8, 4) + number(3, 2) + entries + number(0, 4)
            + place
        return segment(0xE1, Array("Exif\0\0".utf8) + tiff)
    }
}
