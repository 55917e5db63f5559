import RecordContract

/// The header of a signed token (RFC 7515, section 4). Pure.
enum TokenHeader {
    static let longest = 1024

    /// Members that say nothing that has to be understood here. All are texts.
    private static let members: Set<String> = ["alg", "kid", "typ", "cty"]

    /// - Parameter bytes: as decoded from the token.
    /// - Returns: why it is refused, to follow "the verification"; `nil` when it isn't.
    static func objection(to bytes: [UInt8]) -> String? {
        guard bytes.count <= longest, hasTextsOnly(bytes),
            let header = try? JSON.decode([String: String].self, from: bytes)
        else { return "has a header that isn't made of a few texts" }
        // Whoever doesn't understand an extension that is critical must refuse (RFC 7515, section 4.1.11), and here none is.
        guard members.isSuperset(of: header.keys) else {
            return "has something other than alg, kid, typ and cty in its header"
        }
        return header["alg"] == "ES256" ? nil : "isn't signed by ES256"
    }

    /// Whether there is nothing beside texts but what holds them together: no number, and nothing within something else.
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
