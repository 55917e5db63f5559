/// Writer of TOML 1.0 documents. Equal documents give equal bytes: keys are sorted, and each value has one form.
package enum TOMLWriter {
    /// Returns a document. Parsing it gives the same values.
    package static func write(_ table: TOMLTable) -> String {
        var lines: [String] = []
        write(table, at: [], header: nil, to: &lines)
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns a key, in quotes if it needs them.
    static func key(_ name: String) -> String {
        let isBare =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isBare ? name : TOMLScalar.string(name).text
    }

    /// - Parameter header: the line above the keys of the table; `nil` for the document itself.
    private static func write(_ table: TOMLTable, at path: [String], header: String?, to lines: inout [String]) {
        let names = table.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        var values: [String] = []
        var inner: [(name: String, value: TOMLValue)] = []
        for name in names {
            guard let value = table[name]?.value else { continue }
            switch value {
            case .table: inner.append((name, value))
            case .array(let elements) where isListOfTables(elements): inner.append((name, value))
            default: values.append("\(key(name)) = \(text(value))")
            }
        }
        // A table that only has tables is there by the headers of these.
        if let header, !values.isEmpty || inner.isEmpty || header.hasPrefix("[[") {
            if !lines.isEmpty { lines.append("") }
            lines.append(header)
        }
        lines += values
        for (name, value) in inner {
            let path = path + [name]
            let title = path.map(key).joined(separator: ".")
            switch value {
            case .table(let table): write(table, at: path, header: "[\(title)]", to: &lines)
            case .array(let elements):
                for case .table(let table) in elements.map(\.value) {
                    write(table, at: path, header: "[[\(title)]]", to: &lines)
                }
            default: break
            }
        }
    }

    private static func isListOfTables(_ elements: [TOMLNode]) -> Bool {
        !elements.isEmpty
            && elements.allSatisfy { element in
                if case .table = element.value { true } else { false }
            }
    }

    /// Returns a value in one line.
    private static func text(_ value: TOMLValue) -> String {
        switch value {
        case .string(let text): TOMLScalar.string(text).text
        case .integer(let number): TOMLScalar.integer(number).text
        case .boolean(let isTrue): TOMLScalar.boolean(isTrue).text
        case .float(let number): text(number)
        case .localDate(let date): text(date)
        case .localTime(let time): text(time)
        case .localDateTime(let date, let time): text(date) + "T" + text(time)
        case .offsetDateTime(let date, let time, let minutes): text(date) + "T" + text(time) + offset(minutes)
        case .array(let elements): "[" + elements.map { text($0.value) }.joined(separator: ", ") + "]"
        case .table(let table):
            table.isEmpty
                ? "{}"
                : "{ "
                    + table.sorted { $0.key < $1.key }.map { "\(key($0.key)) = \(text($0.value.value))" }
                    .joined(separator: ", ") + " }"
        }
    }

    private static func text(_ number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        return "\(number)"
    }

    private static func text(_ date: TOMLDate) -> String {
        "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
    }

    private static func text(_ time: TOMLTime) -> String {
        let text = "\(padded(time.hour, 2)):\(padded(time.minute, 2)):\(padded(time.second, 2))"
        return time.nanosecond == 0 ? text : text + "." + padded(time.nanosecond, 9)
    }

    private static func offset(_ minutes: Int) -> String {
        if minutes == 0 { return "Z" }
        return (minutes < 0 ? "-" : "+") + "\(padded(abs(minutes) / 60, 2)):\(padded(abs(minutes) % 60, 2))"
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
