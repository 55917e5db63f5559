import BeaconModel

/// Values in answers.
extension HM10Dialogue {
    /// Parses `OK+ADDR:883314DD1AE8`, also with colons.
    static func address(_ answer: String) -> BluetoothAddress? {
        guard let colon = answer.firstIndex(of: ":"), answer.contains("ADDR") else { return nil }
        let digits = answer[colon...].filter(\.isHexDigit)
        guard digits.utf8.count == 12, let bits = UInt64(digits, radix: 16) else { return nil }
        return BluetoothAddress(bits: bits)
    }

    /// Parses `OK+Get:0x0003`.
    static func value(_ answer: String) -> UInt32? {
        guard let start = answer.range(of: "OK+Get:") else { return nil }
        return HM10Setting.value(String(answer[start.upperBound...].filter { !$0.isWhitespace }))
    }
}

extension String {
    /// Returns the range of the first occurrence of `text`.
    fileprivate func range(of text: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
