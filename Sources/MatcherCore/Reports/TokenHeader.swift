import RecordContract

/// Check of the header of a signed token (RFC 7515, section 4). Pure.
package enum TokenHeader {
    package static let longest = 1024

    /// Allowed members. None is an extension that must be understood, and all are texts.
    private static let members: Set<String> = ["alg", "kid", "typ", "cty"]

    /// Returns why a header is refused.
    ///
    /// - Parameter bytes: header as decoded from the token.
    /// - Returns: the reason, as a predicate of "the verification"; `nil` if the header is accepted.
    package static func objection(to bytes: [UInt8]) -> String? {
        guard bytes.count <= longest, hasTextsOnly(bytes),
            let header = try? JSON.decode([String: String].self, from: bytes)
        else { return "has an invalid header" }
        // A critical extension that is not understood must be refused (RFC 7515, section 4.1.11), and none is
        // understood here.
        guard members.isSuperset(of: header.keys) else {
            return "has header fields other than alg, kid, typ and cty"
        }
        return header["alg"] == "ES256" ? nil : "is not signed with ES256"
    }

    /// Returns whether there is nothing but texts and separators: no numbers and no nesting.
    private static func hasTextsOnly(_ bytes: [UInt8]) -> Bool {
        var (isInText, isEscaped) = (false, false)
        var opened = 0
        for byte in bytes {
            if isInText {
                (isInText, isEscaped) = (
                    isEscaped || byte != UInt8(ascii: "\""), !isEscaped && byte == UInt8(ascii: "\\")
                )
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"): opened += 1
            case UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: " "), 9, 10, 13: break
            default: return false
            }
        }
        return opened == 1
    }
}
