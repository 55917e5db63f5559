/// Dates and times of TOML 1.0: RFC 3339, each part of which can stand alone.
enum TOMLDateTime {
    /// Returns whether a value without quotes begins like a date or time: `1979-` or `07:`.
    static func isStart(_ text: String) -> Bool {
        let bytes = text.utf8
        let digits = bytes.prefix { isDigit($0) }.count
        let next = bytes.dropFirst(digits).first
        return digits == 4 && next == dash || digits == 2 && next == colon
    }

    /// Returns whether a value without quotes has the form of a date: `1979-05-27`.
    static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 10
            && bytes.indices.allSatisfy { $0 == 4 || $0 == 7 ? bytes[$0] == dash : isDigit(bytes[$0]) }
    }

    /// Parses a date, a time, or both with a `T` or a space between them.
    static func parse(_ text: String) -> TOMLValue? {
        var rest = Array(text.utf8)[...]
        guard rest.count > 4, rest[4] == dash else {
            guard let time = takeTime(&rest), rest.isEmpty else { return nil }
            return .localTime(time)
        }
        guard let date = takeDate(&rest) else { return nil }
        guard let separator = rest.popFirst() else { return .localDate(date) }
        guard "Tt ".utf8.contains(separator), let time = takeTime(&rest) else { return nil }
        if rest.isEmpty { return .localDateTime(date, time) }
        guard let offset = takeOffset(&rest), rest.isEmpty else { return nil }
        return .offsetDateTime(date, time, minutesFromUTC: offset)
    }

    private static func takeDate(_ rest: inout ArraySlice<UInt8>) -> TOMLDate? {
        guard let year = takeNumber(&rest, digits: 4), take(&rest, dash), let month = takeNumber(&rest, digits: 2),
            1...12 ~= month, take(&rest, dash), let day = takeNumber(&rest, digits: 2),
            1...RFC3339Text.days(in: month, year) ~= day
        else { return nil }
        return TOMLDate(year: year, month: month, day: day)
    }

    private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> TOMLTime? {
        guard let hour = takeNumber(&rest, digits: 2), hour < 24, take(&rest, colon),
            let minute = takeNumber(&rest, digits: 2), minute < 60, take(&rest, colon),
            let second = takeNumber(&rest, digits: 2), second <= 60
        else { return nil }
        var time = TOMLTime(hour: hour, minute: minute, second: second, nanosecond: 0)
        guard take(&rest, UInt8(ascii: ".")) else { return time }
        let fraction = rest.prefix { isDigit($0) }
        guard !fraction.isEmpty else { return nil }
        rest = rest.dropFirst(fraction.count)
        for index in 0..<9 {
            time.nanosecond = time.nanosecond * 10 + (fraction.dropFirst(index).first.map { Int($0) - 0x30 } ?? 0)
        }
        return time
    }

    /// Takes `Z` or an offset such as `+02:00`. Returns minutes.
    private static func takeOffset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if take(&rest, UInt8(ascii: "Z")) || take(&rest, UInt8(ascii: "z")) { return 0 }
        let isNegative = rest.first == dash
        guard take(&rest, isNegative ? dash : UInt8(ascii: "+")), let hours = takeNumber(&rest, digits: 2), hours < 24,
            take(&rest, colon), let minutes = takeNumber(&rest, digits: 2), minutes < 60
        else { return nil }
        return (isNegative ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func takeNumber(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
        let text = rest.prefix(digits)
        guard text.count == digits, text.allSatisfy({ isDigit($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return text.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, _ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
}
