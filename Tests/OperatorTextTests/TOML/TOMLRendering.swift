import OperatorText

/// Values of a document in one line, without their positions: `{a: 1, b: ['x', 1.5]}`, with the keys sorted.
enum TOMLRendering {
    static func text(_ table: TOMLTable) -> String {
        let keys = table.keys.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        return "{" + keys.compactMap { key in table[key].map { "\(key): \(text($0.value))" } }.joined(separator: ", ")
            + "}"
    }

    private static func text(_ value: TOMLValue) -> String {
        switch value {
        case .string(let string): "'\(string)'"
        case .integer(let integer): "\(integer)"
        case .float(let number): "\(number)"
        case .boolean(let boolean): "\(boolean)"
        case .offsetDateTime(let date, let time, let minutes): "\(text(date)) \(text(time)) UTC \(minutes)"
        case .localDateTime(let date, let time): "\(text(date)) \(text(time))"
        case .localDate(let date): text(date)
        case .localTime(let time): text(time)
        case .array(let elements): "[" + elements.map { text($0.value) }.joined(separator: ", ") + "]"
        case .table(let table): text(table)
        }
    }

    private static func text(_ date: TOMLDate) -> String { "\(date.year)/\(date.month)/\(date.day)" }

    private static func text(_ time: TOMLTime) -> String {
        "\(time.hour):\(time.minute):\(time.second)" + (time.nanosecond == 0 ? "" : "+\(time.nanosecond)ns")
    }
}
