/// The orientation that a camera writes into a JPEG.
enum ExifOrientation {
    private static let name: [UInt8] = Array("Exif\0\0".utf8)
    private static let tag = 0x0112
    private static let mostEntries = 512

    /// Reads the orientation of the data of an APP1 segment, 1 to 8; `nil` if there is none.
    static func read(_ data: [UInt8]) -> Int? {
        guard data.starts(with: name) else { return nil }
        let tiff = Array(data.dropFirst(name.count))
        let isLittleEndian = tiff.starts(with: Array("II*\0".utf8))
        guard isLittleEndian || tiff.starts(with: Array("MM\0*".utf8)) else { return nil }
        func number(_ offset: Int, _ length: Int) -> Int? {
            guard isLittleEndian else { return tiff.number(at: offset, length: length) }
            guard offset >= 0, offset <= tiff.count - length else { return nil }
            return tiff[offset..<offset + length].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<min(count, mostEntries) {
            let entry = directory + 2 + 12 * index
            guard let found = number(entry, 2) else { return nil }
            guard found == tag else { continue }
            // One number of 16 bits.
            guard number(entry + 2, 2) == 3, number(entry + 4, 4) == 1, let value = number(entry + 8, 2) else {
                return nil
            }
            return (1...8).contains(value) ? value : nil
        }
        return nil
    }

    /// Returns an APP1 segment, with its marker, that has an orientation and nothing else.
    static func segment(_ orientation: Int) -> [UInt8] {
        let value = UInt8(clamping: orientation)
        let tiff: [UInt8] =
            Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0, 0, 0, 0, 0]
        return [0xFF, 0xE1, 0, UInt8(2 + name.count + tiff.count)] + name + tiff
    }
}
