/// Bytes as lower-case hexadecimal digits, two each.
public enum HexadecimalText {
    public static func of(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
