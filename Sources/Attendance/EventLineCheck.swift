import OperatorText

/// Check for lines of an event that libical accepts silently but interprets differently from what is written.
///
/// libical uses the first of two `DTSTART`s, and whichever of `DTEND` and `DURATION` it queries first. It reads
/// `20261131` as 1 December and `PT1H30` as an hour. Pure; one value checks the lines of one event.
struct EventLineCheck {
    private var seen: Set<String> = []

    /// Properties that must not occur more than once and that determine a lecture (RFC 5545, section 3.6.1).
    private static let single: Set<String> = [
        "DTSTART", "DTEND", "DURATION", "UID", "RECURRENCE-ID", "STATUS", "SEQUENCE", "SUMMARY", "LOCATION",
    ]
    private static let states: Set<String> = ["TENTATIVE", "CONFIRMED", "CANCELLED"]

    /// Returns the mistake in a line; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - line: an unfolded property of the event itself.
    ///   - name: the name of the property, in upper case.
    mutating func mistake(in line: ArraySlice<UInt8>, name: String) -> CalendarMistake? {
        if Self.single.contains(name), !seen.insert(name).inserted {
            return CalendarMistake(found: "is a second \(name) of one event", allowed: "must be the only one")
        }
        if seen.isSuperset(of: ["DTEND", "DURATION"]), name == "DTEND" || name == "DURATION" {
            return CalendarMistake(found: "has DTEND and DURATION", allowed: "must have only one of them")
        }
        let value = Self.value(of: line)
        switch name {
        case "DTSTART", "DTEND", "RECURRENCE-ID", "EXDATE", "RDATE":
            let times = value.split(whereSeparator: { $0 == "," || $0 == "/" }).map(String.init)
            return times.first { !Self.mayExist($0) }.map { Self.noTime(name, $0) }
        case "RRULE":
            let parts = value.split(separator: ";").map { $0.uppercased() }
            let until = parts.first { $0.hasPrefix("UNTIL=") }.map { String($0.dropFirst(6)) }
            return until.flatMap { Self.mayExist($0) ? nil : Self.noTime("UNTIL", $0) }
        case "DURATION" where !Self.isDuration(value):
            return CalendarMistake(
                found: "DURATION is \(value.excerpt)", allowed: "must be as in RFC 5545: PT1H30M, P1D")
        case "STATUS" where !Self.states.contains(value.uppercased()):
            return CalendarMistake(
                found: "STATUS is \(value.excerpt)", allowed: "must be TENTATIVE, CONFIRMED or CANCELLED")
        default: return nil
        }
    }

    private static func noTime(_ name: String, _ text: String) -> CalendarMistake {
        CalendarMistake(
            found: "\(name) is \(text.excerpt), which is not a valid date or time",
            allowed: "must be as in RFC 5545: 20261020T100000Z")
    }

    /// Returns the value after the last colon. The times and words that are checked here contain no colon.
    private static func value(of line: ArraySlice<UInt8>) -> String {
        let start = line.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? line.endIndex
        return String(decoding: line[start...], as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// Whether the numbers of a time are a valid day and time of day. Other forms are left to libical to reject.
    private static func mayExist(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 8, let date = number(bytes[0..<8]) else { return true }
        let day = date % 100
        let month = date / 100 % 100
        guard (1...12).contains(month), (1...length(month: month, year: date / 10_000)).contains(day) else {
            return false
        }
        guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"), let time = number(bytes[9..<15]) else { return true }
        // A leap second is a valid time of day.
        return time / 10_000 < 24 && time / 100 % 100 < 60 && time % 100 <= 60
    }

    /// Returns the length of a month in days.
    private static func length(month: Int, year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Whether a text is a duration: weeks alone, or days and a time with descending units (RFC 5545, section 3.3.6).
    /// libical skips units that it does not know.
    private static func isDuration(_ text: String) -> Bool {
        text.wholeMatch(of: /[+-]?P(\d+W|\d+D|(\d+D)?T(\d+H(\d+M)?(\d+S)?|\d+M(\d+S)?|\d+S))/) != nil
    }
}
