package import BeaconModel

/// Parses an unsigned 32-bit decimal number.
func decimal(_ digits: some Collection<UInt8>) -> UInt32? {
    guard (1...10).contains(digits.count) else { return nil }
    var value: UInt64 = 0
    for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        value = value * 10 + UInt64(digit - UInt8(ascii: "0"))
    }
    return UInt32(exactly: value)
}

/// Parses decimal numbers. Returns `nil` when one of them is invalid.
package func decimals(_ fields: some Collection<ArraySlice<UInt8>>) -> [UInt32]? {
    let numbers = fields.compactMap { decimal($0) }
    return numbers.count == fields.count ? numbers : nil
}

/// Parses a byte in one or two hexadecimal digits.
func hexadecimalByte(_ digits: some Collection<UInt8>) -> UInt8? {
    guard (1...2).contains(digits.count) else { return nil }
    var value: UInt8 = 0
    for digit in digits {
        guard let digit = hexadecimalDigit(digit) else { return nil }
        value = value << 4 | digit
    }
    return value
}

package func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// Parses `<length>,<byte>,<byte>…`, all in hexadecimal, with at most 31 bytes (4.3).
func lengthAndBytes(_ fields: [ArraySlice<UInt8>]) -> [UInt8]? {
    guard let first = fields.first, let length = hexadecimalByte(first), length <= 31 else { return nil }
    let bytes = fields.dropFirst().compactMap { hexadecimalByte($0) }
    guard bytes.count == fields.count - 1, bytes.count == Int(length) else { return nil }
    return bytes
}

/// Parses an address `XX-XX-XX-XX-XX-XX`.
package func address(_ field: some Collection<UInt8>) -> BluetoothAddress? {
    guard !field.contains(UInt8(ascii: ":")) else { return nil }
    return BluetoothAddress(String(decoding: field, as: UTF8.self))
}

/// Converts ASCII letters to lower case. Leaves all other bytes unchanged.
package func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
}

/// Returns a number in upper-case hexadecimal without leading zeros, as in replies (3).
package func hexadecimal(_ value: Int) -> String { String(value, radix: 16, uppercase: true) }

/// Returns an address as formatted in replies (3).
func hyphenated(_ address: BluetoothAddress) -> String {
    String(address.description.map { $0 == ":" ? "-" : $0 })
}
