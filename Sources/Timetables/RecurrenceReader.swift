import Attendance
import CIcal
import OperatorText

/// Reader for the repetitions of events, using libical, with a limit on the work that suffices for any timetable.
struct RecurrenceReader {
    private let floating: OpaquePointer?
    private let span: ClosedRange<Int64>
    /// Remaining days that all rules together can pass through, at about three microseconds each.
    private var days: Int64 = 2_000_000

    private static let mostRules = 4
    private static let mostStarts = 10_000
    /// Maximum number of times of day in a rule: hours times minutes.
    private static let mostTimes: Int32 = 4
    private static let mostEntries: Int32 = 100
    /// Maximum length of a search in days: libical ends a rule in 2582.
    private static let longestSearch: Int64 = 611 * 366

    init(floating: OpaquePointer?, span: ClosedRange<Int64>) {
        self.floating = floating
        self.span = span
    }

    package struct Event {
        var component: OpaquePointer
        /// DTSTART property.
        var start: OpaquePointer
        var first: Int64
    }

    /// Whether the work limit of the file is used up.
    var isExhausted: Bool { days < 0 }

    static func repeats(_ event: OpaquePointer) -> Bool {
        [ICAL_RRULE_PROPERTY, ICAL_RDATE_PROPERTY].contains {
            icalcomponent_get_first_property(event, $0) != nil
        }
    }

    struct Starts {
        /// Starts in seconds since 1970, ascending.
        var starts: [Int64]
        /// Exceptions within the span that match no repetition.
        var unmet: [Int64]
    }

    /// Returns the starts of an event up to the end of the span, from its rules, additional dates and exceptions.
    mutating func starts(of event: Event) -> Result<Starts, CalendarMistake> {
        do throws(CalendarMistake) {
            let rules = CalendarReader.properties(event.component, ICAL_RRULE_PROPERTY)
            guard rules.count <= Self.mostRules else {
                throw CalendarMistake(
                    found: "has \(rules.count) RRULEs", allowed: "must have at most \(Self.mostRules)")
            }
            var starts: Set<Int64> = rules.isEmpty ? [event.first] : []
            let excluded = try exceptions(event)
            for rule in rules { try follow(rule, event, excluded, &starts) }
            for property in CalendarReader.properties(event.component, ICAL_RDATE_PROPERTY) {
                if beacon_ical_is_period(property) != 0 {
                    throw CalendarMistake(found: "RDATE is a period", allowed: "must be a time: RDATE:20261020T100000Z")
                }
                let time = beacon_ical_instant(property, event.component, floating)
                if let mistake = Self.mistake(time, property, "RDATE") { throw mistake }
                starts.insert(time.seconds)
            }
            let unmet = excluded.instants.subtracting(starts).filter(span.contains).sorted()
            starts.subtract(excluded.instants)
            return .success(Starts(starts: starts.sorted(), unmet: unmet))
        } catch {
            return .failure(error)
        }
    }

    private struct Exceptions {
        var instants: Set<Int64> = []
        /// Whole days, written as 20261020.
        var days: Set<Int32> = []
    }

    private func exceptions(_ event: Event) throws(CalendarMistake) -> Exceptions {
        var found = Exceptions()
        for property in CalendarReader.properties(event.component, ICAL_EXDATE_PROPERTY) {
            let time = beacon_ical_instant(property, event.component, floating)
            if Int(time.state) == BEACON_ICAL_DATE {
                found.days.insert(time.day)
            } else if let mistake = Self.mistake(time, property, "EXDATE") {
                throw mistake
            } else {
                found.instants.insert(time.seconds)
            }
        }
        return found
    }

    private mutating func follow(
        _ property: OpaquePointer, _ event: Event, _ excluded: Exceptions, _ starts: inout Set<Int64>
    ) throws(CalendarMistake) {
        let rule = beacon_ical_read_rule(property)
        try Self.check(rule)
        let zone = beacon_ical_zone(event.start, event.component, floating)
        let until = beacon_ical_until(property, zone)
        let last = Int(until.state) == BEACON_ICAL_INSTANT ? min(until.seconds, span.upperBound) : span.upperBound
        guard let iterator = beacon_ical_iterate(property, event.start, event.component) else {
            // libical has already searched in vain.
            days -= Self.longestSearch * Int64(rule.times)
            if isExhausted { throw Self.tooMuch }
            throw CalendarMistake(found: "RRULE is invalid", allowed: "must be as in RFC 5545")
        }
        defer { icalrecur_iterator_free(iterator) }
        var previous = event.first
        var count = 0
        var kept = 0
        while true {
            let next = beacon_ical_next(iterator, zone)
            guard Int(next.state) == BEACON_ICAL_INSTANT else {
                // A rule with a count ends by itself; for any other, libical has searched in vain.
                if Int(next.state) == BEACON_ICAL_NOTHING, rule.count == 0 || count < rule.count {
                    days -= Self.longestSearch * Int64(rule.times)
                }
                break
            }
            let passed = max(0, next.seconds - previous) / 86_400
            days -= (passed + 1) * Int64(rule.times)
            previous = max(previous, next.seconds)
            count += 1
            if next.seconds > last { break }
            if isExhausted { throw Self.tooMuch }
            if next.seconds < span.lowerBound - 86_400 || excluded.days.contains(next.day) { continue }
            kept += 1
            if kept > Self.mostStarts {
                throw CalendarMistake(
                    found: "RRULE gives more than \(Self.mostStarts) repetitions", allowed: "must give fewer")
            }
            starts.insert(next.seconds)
        }
        if isExhausted { throw Self.tooMuch }
        if count == 0 {
            throw CalendarMistake(found: "RRULE gives no repetition at all", allowed: "must give at least one")
        }
    }

    private static let tooMuch = CalendarMistake(
        found: "the RRULEs up to here take too long to evaluate",
        allowed: "must have repetitions soon after a recent DTSTART")

    private static func check(_ rule: beacon_ical_rule) throws(CalendarMistake) {
        let slowest = Int32(ICAL_DAILY_RECURRENCE.rawValue)
        if rule.frequency < slowest || rule.is_scaled != 0 {
            throw CalendarMistake(
                found: rule.is_scaled != 0 ? "RRULE has an RSCALE" : "RRULE repeats more often than daily",
                allowed: "must be FREQ=DAILY, WEEKLY, MONTHLY or YEARLY in the Gregorian calendar")
        }
        if rule.times > mostTimes || rule.days > mostEntries {
            throw CalendarMistake(
                found: "RRULE names \(rule.times) times of a day and \(rule.days) days",
                allowed: "must name at most \(mostTimes) and \(mostEntries)")
        }
    }

    /// Returns the reason why a time is not an instant; `nil` when it is one.
    static func mistake(_ time: beacon_ical_time, _ property: OpaquePointer, _ name: String) -> CalendarMistake? {
        switch Int(time.state) {
        case BEACON_ICAL_INSTANT: nil
        case BEACON_ICAL_DATE:
            CalendarMistake(found: "\(name) is a day", allowed: "must be a time, as DTSTART is: 20261020T100000Z")
        case BEACON_ICAL_UNKNOWN_ZONE:
            CalendarMistake(
                found:
                    "\(name) is in the zone \((beacon_ical_tzid(property).map { String(cString: $0) } ?? "").excerpt), "
                    + "which neither the file nor this system has",
                allowed: "must be in a VTIMEZONE of the file or a zone such as \"Europe/Berlin\"")
        case BEACON_ICAL_FLOATING:
            CalendarMistake(
                found: "\(name) has no time zone", allowed: "set the time zone of such times in site.time-zone")
        case BEACON_ICAL_YEAR:
            CalendarMistake(found: "\(name) is out of range", allowed: "must be from 1970 to 2200")
        default: CalendarMistake(found: "\(name) is not a time", allowed: "must be as in RFC 5545: 20261020T100000Z")
        }
    }
}
