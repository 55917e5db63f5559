/// A PNG picture, made without the code that reads them: pixels are stored, not compressed.
package struct PNGFile: Sendable {
    package var chunks: [[UInt8]]

    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    package var bytes: [UInt8] { Self.signature + chunks.flatMap(\.self) }

    /// A grey picture of rows of equal length.
    package init(grey rows: [[UInt8]]) {
        chunks = [
            Self.header(width: rows.first?.count ?? 0, height: rows.count),
            Self.chunk("IDAT", Self.stored(rows.flatMap { [0] + $0 })), Self.chunk("IEND", []),
        ]
    }

    /// A picture of squares: `#` is black, everything else is white.
    package init(squares lines: [String], side: Int, margin: Int = 4) {
        let width = (lines.map(\.count).max() ?? 0) + 2 * margin
        let empty = Array(repeating: String(), count: margin)
        self.init(
            grey: (empty + lines + empty).flatMap { line in
                let padded = String(repeating: ".", count: line.isEmpty ? 0 : margin) + line
                let row = padded.flatMap { Array(repeating: UInt8($0 == "#" ? 0 : 255), count: side) }
                let white = Array(repeating: UInt8(255), count: width * side - row.count)
                return Array(repeating: row + white, count: side)
            })
    }

    package static func header(width: Int, height: Int, depth: UInt8 = 8, colour: UInt8 = 0) -> [UInt8] {
        chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, colour, 0, 0, 0])
    }

    package static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(checksum(body)))
    }

    package static func bigEndian(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// A zlib stream of stored blocks.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(start + 65_535, data.count)
            let length = end - start
            let low = UInt8(truncatingIfNeeded: length)
            let high = UInt8(truncatingIfNeeded: length >> 8)
            stream += [end == data.count ? 1 : 0, low, high, ~low, ~high]
            stream += data[start..<end]
            start = end
        } while start < data.count
        var (one, two) = (1, 0)
        for byte in data {
            one = (one + Int(byte)) % 65_521
            two = (two + one) % 65_521
        }
        return stream + bigEndian(two << 16 | one)
    }

    /// Bit by bit, least significant first.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register >> 1 ^ (register & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~register
    }
}
