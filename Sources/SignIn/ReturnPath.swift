/// Path of this page to which a browser returns after the sign-in.
package enum ReturnPath {
    /// Maximum length in bytes.
    private static let longest = 1024

    /// Returns a path from outside; `/` if it leads elsewhere.
    ///
    /// Browsers take `//host` and `/\host` for addresses of other hosts, and drop tabs and line breaks.
    package static func of(_ text: String?) -> String {
        guard let text, text.utf8.count <= longest, text.utf8.first == UInt8(ascii: "/"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            text.utf8.dropFirst().first != UInt8(ascii: "/")
        else { return "/" }
        return text
    }
}
