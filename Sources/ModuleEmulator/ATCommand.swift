/// One AT command, cut but not understood (section 3).
struct ATCommand: Sendable {
    package enum Family: Sendable {
        /// `at+rsi_`
        case common
        /// `at+rsibt_`
        case bluetooth
    }

    let family: Family
    /// In lower case, without prefix.
    let name: String
    /// Behind `=`; `nil` without `=`.
    let parameters: ArraySlice<UInt8>?
    /// The line ends with `?`.
    let isQuery: Bool

    /// `nil` for a line that isn't an AT command.
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

    /// The parameters between commas; none without `=`.
    var fields: [ArraySlice<UInt8>] {
        parameters?.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) ?? []
    }

    /// The one parameter of `name=parameter?`.
    var queried: ArraySlice<UInt8>? { isQuery ? parameters?.dropLast() : nil }

    /// Whether it is `name?`.
    var isPlainQuery: Bool { isQuery && parameters == nil }

    /// Whether it is the name alone.
    var isBare: Bool { !isQuery && parameters == nil }
}
