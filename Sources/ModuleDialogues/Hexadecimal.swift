/// Numbers in hexadecimal, for people.
public enum Hexadecimal {
    /// All digits of the type, after `0x`.
    public static func text<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, Number.bitWidth / 4 - digits.count)) + digits
    }
}
