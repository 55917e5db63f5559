import OperatorText

/// Contents of a QR code in a picture. They are only shown, and never followed or trusted.
package struct PictureCode: Hashable, Sendable {
    package enum Kind: String, Sendable {
        /// An address of a web page.
        case address
        /// A signed token (JWT).
        case token
        /// A European health certificate (`HC1:`).
        case healthCertificate = "health-certificate"
        case orderNumber = "order-number"
        case text
    }

    package let kind: Kind
    /// The contents with control characters replaced, cut to 200 characters.
    package let text: String
    /// The number, if the contents are one.
    package let orderNumber: OrderNumber?

    static let mostCodes = 8
    private static let longest = 4096
    private static let longestShown = 200

    /// Reads what zbarimg printed: a code a line.
    package static func codes(_ output: [UInt8]) -> [PictureCode] { contents(output).map { PictureCode($0) } }

    /// Returns the contents of the codes that zbarimg printed.
    package static func contents(_ output: [UInt8]) -> [String] {
        let lines = output.split(separator: 0x0A).filter { $0.count <= longest }
        return lines.prefix(mostCodes).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether `contents` can have returned a text.
    static func areContents(_ text: String) -> Bool {
        // Each byte that is no UTF-8 has become a character of 3 bytes.
        !text.isEmpty && text.utf8.count <= 3 * longest && !text.utf8.contains(0x0A)
    }

    package init(_ contents: String) {
        let contents = String(contents.drop(while: \.isWhitespace))
        let number = ResultText.orderNumber(contents)
        orderNumber = number
        text = contents.shown(upTo: Self.longestShown)
        kind =
            switch contents {
            case _ where Self.isToken(contents): .token
            case _ where contents.hasPrefix("HC1:"): .healthCertificate
            case _ where Self.isAddress(contents): .address
            default: number == nil ? .text : .orderNumber
            }
    }

    private static func isAddress(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return (lower.hasPrefix("https://") || lower.hasPrefix("http://"))
            && text.allSatisfy { $0.isASCII && !$0.isWhitespace }
    }

    /// Whether a text has the three parts of a signed token, the first of which begins as JSON does.
    private static func isToken(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isBase64 = { (part: Substring) in
            part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        }
        return parts.count == 3 && text.hasPrefix("ey") && parts.allSatisfy { $0.count >= 4 && isBase64($0) }
    }
}
