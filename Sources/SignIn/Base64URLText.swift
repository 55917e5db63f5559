/// Base64 with the alphabet for URLs and without padding (RFC 4648, section 5).
enum Base64URLText {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func isCharacter(_ byte: UInt8) -> Bool { alphabet.contains(byte) }

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(group.count)))
            for _ in 0...group.count {
                text.append(alphabet[Int(bits >> 18 & 63)])
                bits <<= 6
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
