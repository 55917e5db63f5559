/// IPv6 addresses as text (RFC 4291, section 2.2).
package enum IPv6Text {
    /// Whether the text is an address, without brackets and zone.
    package static func isAddress(_ text: some StringProtocol) -> Bool {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1: return groups(halves[0], endsAddress: true) == 8
        case 2:
            // Two colons stand for at least one group of zeros.
            guard let before = groups(halves[0], endsAddress: false), let after = groups(halves[1], endsAddress: true)
            else { return false }
            return before + after < 8
        default: return false
        }
    }

    /// Returns the number of 16-bit groups; `nil` for any other text.
    ///
    /// - Parameter endsAddress: whether the last part may be an IPv4 address, which counts as two groups.
    private static func groups(_ text: some StringProtocol, endsAddress: Bool) -> Int? {
        if text.isEmpty { return 0 }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var count = 0
        for (index, part) in parts.enumerated() {
            if endsAddress, index == parts.count - 1, part.contains(".") {
                guard isIPv4(part) else { return nil }
                count += 2
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(isHexDigit) else { return nil }
                count += 1
            }
        }
        return count
    }

    private static func isIPv4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (part == "0" || !part.hasPrefix("0")) && UInt8(part) != nil
            }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
