/// An AT command, split into its parts but not interpreted (section 3).
struct ATCommand: Sendable {
    package enum Family: Sendable {
        /// `at+rsi_`
        case common
        /// `at+rsibt_`
        case bluetooth
    }

    let family: Family
    /// Name in lower case, without prefix.
    let name: String
    /// Text after `=`; `nil` without `=`.
    let parameters: ArraySlice<UInt8>?
    /// Whether the line ends with `?`.
    let isQuery: Bool

    /// Parses a line. Returns `nil` for a line that is not an AT command.
    init?(line: [UInt8]) {
        let start = lowercased(line.prefix(9))
        let prefixLength: Int
        if start.starts(with: "at+rsibt_".utf8) {
            family = .bluetooth
            prefixLength = 9
        } else if start.starts(with: "at+rsi_".utf8) {
            family = .common
            prefixLength = 7
        } else {
            return nil
        }
        let rest = line.dropFirst(prefixLength)
        let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "?") }
        self.name = String(decoding: lowercased(name), as: UTF8.self)
        let tail = rest.dropFirst(name.count)
        isQuery = tail.last == UInt8(ascii: "?")
        if tail.first == UInt8(ascii: "=") {
            parameters = tail.dropFirst()
        } else {
            guard tail.count <= 1 else { return nil }
            parameters = nil
        }
    }

    /// Parameters separated by commas; empty without `=`.
    var fields: [ArraySlice<UInt8>] {
        parameters?.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) ?? []
    }

    /// The parameter in `name=parameter?`.
    var queried: ArraySlice<UInt8>? { isQuery ? parameters?.dropLast() : nil }

    /// Whether the command has the form `name?`.
    var isPlainQuery: Bool { isQuery && parameters == nil }

    /// Whether the command consists of its name only.
    var isBare: Bool { !isQuery && parameters == nil }
}
