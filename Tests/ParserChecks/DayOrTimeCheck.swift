import OperatorText

/// A day or a time, as somebody wrote it on the command line or in a request.
enum DayOrTimeCheck: ParserCheck {
    static let name = "day-or-time"

    /// Where clocks are set forward at midnight, and where a day is longer and shorter.
    private static let zones = [
        CalendarDays.utc, CalendarDays(name: "far", offset: -14 * 3600),
        CalendarDays(
            name: "changing", offset: 3600,
            changes: [.init(at: 1_774_746_000, offset: 7200), .init(at: 1_792_890_000, offset: 3600)]),
    ]
    /// The end of the year 9999, and half a day for zones, in seconds since 1970.
    private static let latest: Int64 = 253_402_300_799 + 86_400

    static func violation(for bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let parsed = DayOrTime(text) else {
            return DayText.parse(text) == nil && RFC3339Text.parse(text) == nil ? nil : "a day or time that isn't read"
        }
        if bytes.contains(where: { $0 >= 0x80 }) { return "other characters than those of a time" }
        for days in zones {
            let (start, end) = (parsed.start(in: days), parsed.end(in: days))
            guard (-86_400...latest).contains(start), (-86_400...latest).contains(end) else {
                return "a time beyond all years: \(start) to \(end)"
            }
            switch parsed {
            case .day(let day):
                if DayText.text(day) != text { return "day \(day) is written \(DayText.text(day))" }
                if !(23 * 3600...25 * 3600).contains(end - start) { return "a day of \(end - start) s" }
                if days.day(of: start) != day || days.day(of: end - 1) != day || days.day(of: end) != day + 1 {
                    return "seconds of day \(day) are of other days"
                }
                if parsed.isOver(at: end - 1, in: days) || !parsed.isOver(at: end, in: days) {
                    return "a day isn't over when the next begins"
                }
            case .time(let seconds):
                if start != seconds || end != seconds { return "a time that lasts" }
                if DayOrTime(InstantText.utc(seconds)) != parsed { return "\(seconds) can't be written and read" }
                if parsed.isOver(at: seconds - 1, in: days) || !parsed.isOver(at: seconds, in: days) {
                    return "an instant isn't over at once"
                }
            }
        }
        return nil
    }
}
