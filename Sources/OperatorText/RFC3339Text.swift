package import BeaconModel

/// Times as people and `Timestamp.rfc3339` write them.
package enum RFC3339Text {
    package static let form = "a time: \"2020-08-21T09:30:00Z\""

    /// Parses an RFC 3339 time: `2026-11-21T10:00:00Z`, optionally with a fraction of the second or an offset from UTC.
    /// Leap seconds and times before 1970 are refused.
    package static func parse(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count), [bytes[4], bytes[7]] == [dash, dash], "Tt ".utf8.contains(bytes[10]),
            [bytes[13], bytes[16]] == [colon, colon], let year = digits(bytes[0..<4], 4...4),
            let month = digits(bytes[5..<7], 2...2), let day = digits(bytes[8..<10], 2...2),
            let hour = digits(bytes[11..<13], 2...2), let minute = digits(bytes[14..<16], 2...2),
            let second = digits(bytes[17..<19], 2...2), (1...12).contains(month), (1...days(in: month, year)) ~= day,
            hour < 24, minute < 60, second < 60
        else { return nil }
        var rest = bytes[19...]
        var microseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { isDigit($0) }
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(1 + fraction.count)
            for index in 0..<6 {
                microseconds = microseconds * 10 + (fraction.dropFirst(index).first.map { Int($0) - 48 } ?? 0)
            }
        }
        guard let zone = minutesFromUTC(rest) else { return nil }
        let minutes = (dayNumber(year, month, day) * 24 + hour) * 60 + minute - zone
        let total = (minutes * 60 + second) * 1_000_000 + microseconds
        guard total >= 0, total <= Int(Timestamp.latest.microseconds) else { return nil }
        return Timestamp(microseconds: Int64(total))
    }

    private static func minutesFromUTC(_ text: ArraySlice<UInt8>) -> Int? {
        if text.elementsEqual("Z".utf8) || text.elementsEqual("z".utf8) { return 0 }
        let text = Array(text)
        guard text.count == 6, text[3] == colon, text[0] == dash || text[0] == UInt8(ascii: "+"),
            let hours = digits(text[1..<3], 2...2), let minutes = digits(text[4..<6], 2...2), hours < 24, minutes < 60
        else { return nil }
        return (text[0] == dash ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Returns the number of days of a month in the Gregorian calendar.
    static func days(in month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970-01-01 in the proleptic Gregorian calendar, counting years from 1 March as
    /// `Timestamp` does.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func digits(_ text: ArraySlice<UInt8>, _ lengths: ClosedRange<Int>) -> Int? {
        guard lengths.contains(text.count), text.allSatisfy(isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1) - 48 }
    }
}
