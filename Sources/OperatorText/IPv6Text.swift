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

    /// Returns an address as browsers write it: in lower case, with `::` for the first of the longest runs of zeros, and
    /// without an IPv4 address at its end (URL Standard, "IPv6 serializer"); `nil` for any other text.
    package static func normal(_ text: some StringProtocol) -> String? {
        guard isAddress(text) else { return nil }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false).map { values($0) }
        var groups = halves[0]
        if halves.count == 2 {
            groups += Array(repeating: 0, count: 8 - groups.count - halves[1].count) + halves[1]
        }
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        let words = groups.map { String($0, radix: 16) }
        guard longest.count > 1 else { return words.joined(separator: ":") }
        return words[..<longest.lowerBound].joined(separator: ":") + "::"
            + words[longest.upperBound...].joined(separator: ":")
    }

    /// Returns the 16-bit groups of a part of an address.
    private static func values(_ text: some StringProtocol) -> [UInt16] {
        text.split(separator: ":").flatMap { part -> [UInt16] in
            guard part.contains(".") else { return [UInt16(part, radix: 16) ?? 0] }
            let octets = part.split(separator: ".").map { UInt16($0) ?? 0 }
            return octets.count == 4 ? [octets[0] << 8 | octets[1], octets[2] << 8 | octets[3]] : []
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
