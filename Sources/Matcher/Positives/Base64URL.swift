/// Base64 for addresses and tokens, without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            bits = (bits & 0xFF) << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count)) & 63])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count)) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }
}
