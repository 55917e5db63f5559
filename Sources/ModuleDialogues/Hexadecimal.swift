/// Hexadecimal formatting of numbers for display.
public enum Hexadecimal {
    /// Returns all hexadecimal digits of the type, prefixed with `0x`.
    public static func text<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: max(0, Number.bitWidth / 4 - digits.count)) + digits
    }
}
