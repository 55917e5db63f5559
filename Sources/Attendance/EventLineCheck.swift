import OperatorText

/// What libical takes without a word in the lines of an event, and understands as something else than what is written.
///
/// Of two `DTSTART`s it takes the first, of `DTEND` and `DURATION` the first of them that it asks for; `20261131` is
/// 1 December to it and `PT1H30` an hour. Pure; one value checks the lines of one event.
struct EventLineCheck {
    private var seen: Set<String> = []

    /// RFC 5545, section 3.6.1: those that must not occur more than once and that decide about a lecture.
    private static let single: Set<String> = [
        "DTSTART", "DTEND", "DURATION", "UID", "RECURRENCE-ID", "STATUS", "SEQUENCE", "SUMMARY", "LOCATION",
    ]
    private static let states: Set<String> = ["TENTATIVE", "CONFIRMED", "CANCELLED"]

    /// - Parameters:
    ///   - line: unfolded, a property of the event itself.
    ///   - name: its name, in upper case.
    mutating func mistake(in line: ArraySlice<UInt8>, name: String) -> CalendarMistake? {
        if Self.single.contains(name), !seen.insert(name).inserted {
            return CalendarMistake(found: "is a second \(name) of one event", allowed: "must be the only one")
        }
        if seen.isSuperset(of: ["DTEND", "DURATION"]), name == "DTEND" || name == "DURATION" {
            return CalendarMistake(found: "has DTEND and DURATION", allowed: "must have one of them")
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
                found: "DURATION is \(value.excerpt)", allowed: "must be as RFC 5545 has it: PT1H30M, P1D")
        case "STATUS" where !Self.states.contains(value.uppercased()):
            return CalendarMistake(
                found: "STATUS is \(value.excerpt)", allowed: "must be TENTATIVE, CONFIRMED or CANCELLED")
        default: return nil
        }
    }

    private static func noTime(_ name: String, _ text: String) -> CalendarMistake {
        CalendarMistake(
            found: "\(name) is \(text.excerpt), which is no day of a calendar or no time of a day",
            allowed: "must be as RFC 5545 has it: 20261020T100000Z")
    }

    /// The times and words that are asked for here hold no colon.
    private static func value(of line: ArraySlice<UInt8>) -> String {
        let start = line.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? line.endIndex
        return String(decoding: line[start...], as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// Whether the numbers of a time are those of a day and a time of the day. What has another form is libical's to
    /// refuse.
    private static func mayExist(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 8, let date = number(bytes[0..<8]) else { return true }
        let day = date % 100
        let month = date / 100 % 100
        guard (1...12).contains(month), (1...length(month: month, year: date / 10_000)).contains(day) else {
            return false
        }
        guard bytes.count >= 15, bytes[8] == UInt8(ascii: "T"), let time = number(bytes[9..<15]) else { return true }
        // A leap second is a time of the day.
        return time / 10_000 < 24 && time / 100 % 100 < 60 && time % 100 <= 60
    }

    /// Days.
    private static func length(month: Int, year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return digits.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    }

    /// RFC 5545, section 3.3.6: weeks alone, or days and a time in falling units; libical leaves out what it doesn't
    /// know.
    private static func isDuration(_ text: String) -> Bool {
        text.wholeMatch(of: /[+-]?P(\d+W|\d+D|(\d+D)?T(\d+H(\d+M)?(\d+S)?|\d+M(\d+S)?|\d+S))/) != nil
    }
}
