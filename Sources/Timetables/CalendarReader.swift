import Attendance
import CIcal
import OperatorText

/// Reader for the events of a calendar, using libical. Use it only within `CalendarLibrary.use`.
struct CalendarReader {
    private(set) var events: [CalendarEvent] = []
    private(set) var notes: [Timetable.Note] = []
    private(set) var problems: [ConfigurationProblem] = []
    private let file: String
    private let lines: [Int]
    private let floating: OpaquePointer?
    private let course: CourseSource
    private var recurrence: RecurrenceReader
    /// Line of the event that is being read.
    private var line: Int?

    private static let mostProblems = 100
    /// Maximum length of a lecture, in seconds. Events that last for days are conferences or holidays.
    private static let longestLecture: Int64 = 86_400
    private static let longestUID = 255
    private static let longestText = 200

    init(file: String, lines: [Int], zone: CalendarZone?, course: CourseSource, span: ClosedRange<Int64>) {
        self.file = file
        self.lines = lines
        self.course = course
        floating = zone?.pointer
        recurrence = RecurrenceReader(floating: floating, span: span)
    }

    /// Reads a calendar.
    ///
    /// - Parameter text: the text of the outline that the lines come from.
    mutating func read(_ text: [UInt8]) {
        let parsed = (text + [0]).withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { icalparser_parse_string($0.baseAddress) }
        }
        guard let parsed else { return report("is not a valid calendar", "must be an iCalendar file") }
        defer { icalcomponent_free(parsed) }
        if let mistake = ZoneCheck.mistake(in: parsed) {
            return report(mistake, "time zones must have one yearly rule for each change")
        }
        let found = Self.calendars(parsed).flatMap { Self.children($0, ICAL_VEVENT_COMPONENT) }
        guard found.count == lines.count else {
            return report(
                "has \(lines.count) events, of which libical finds \(found.count)", "must be an iCalendar file")
        }
        for (event, number) in zip(found, lines) where problems.count < Self.mostProblems && !recurrence.isExhausted {
            line = number
            read(event)
        }
    }

    /// Returns the calendars of a file, which can contain several.
    private static func calendars(_ root: OpaquePointer) -> [OpaquePointer] {
        icalcomponent_isa(root) == ICAL_VCALENDAR_COMPONENT ? [root] : children(root, ICAL_VCALENDAR_COMPONENT)
    }

    static func children(_ component: OpaquePointer, _ kind: icalcomponent_kind) -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        var iterator = icalcomponent_begin_component(component, kind)
        while let child = icalcompiter_deref(&iterator) {
            found.append(child)
            icalcompiter_next(&iterator)
        }
        return found
    }

    static func properties(_ component: OpaquePointer, _ kind: icalproperty_kind) -> [OpaquePointer] {
        var found: [OpaquePointer] = []
        var property = icalcomponent_get_first_property(component, kind)
        while let each = property {
            found.append(each)
            property = icalcomponent_get_next_property(component, kind)
        }
        return found
    }

    // MARK: One event

    private mutating func read(_ event: OpaquePointer) {
        guard !hasDamage(event), let uid = uid(event), let start = start(event) else { return }
        guard let length = length(event, from: start) else { return }
        let dates = RecurrenceReader.Event(component: event, start: start.property, first: start.seconds)
        var starts = [start.seconds]
        var changed: Int64?
        if let property = icalcomponent_get_first_property(event, ICAL_RECURRENCEID_PROPERTY) {
            if icalproperty_get_first_parameter(property, ICAL_RANGE_PARAMETER) != nil {
                return report("RECURRENCE-ID has a RANGE", "must change a single repetition: export them one by one")
            }
            guard let instant = instant(property, event, "RECURRENCE-ID") else { return }
            changed = instant
        } else {
            switch recurrence.starts(of: dates) {
            case .success(let found):
                starts = found.starts
                for unmet in found.unmet { note("EXDATE \(InstantText.utc(unmet)) matches no repetition") }
            case .failure(let mistake): return report(mistake.found, mistake.allowed)
            }
        }
        events.append(
            CalendarEvent(
                line: line, uid: uid, sequence: Int(icalcomponent_get_sequence(event)), course: courseName(event),
                title: text(icalcomponent_get_summary(event)) ?? "",
                room: text(icalcomponent_get_location(event)),
                isCancelled: icalcomponent_get_status(event) == ICAL_STATUS_CANCELLED, starts: starts, length: length,
                repeats: RecurrenceReader.repeats(event), recurrence: changed))
    }

    private mutating func report(_ found: String, _ allowed: String) {
        problems.append(
            ConfigurationProblem(location: line.map { "line \($0)" } ?? "file", found: found, allowed: allowed))
    }

    private mutating func note(_ text: String) {
        if notes.count < Self.mostProblems { notes.append(Timetable.Note(file: file, line: line, text: text)) }
    }

    /// Whether the event is unusable. Properties that libical could not parse matter only if they determine the time.
    private mutating func hasDamage(_ event: OpaquePointer) -> Bool {
        var isDamaged = false
        for property in Self.properties(event, ICAL_XLICERROR_PROPERTY) {
            guard let words = icalproperty_get_xlicerror(property).map({ String(cString: $0) }) else { continue }
            let names = ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID"]
            guard let name = names.first(where: { words.contains(" \($0) ") }) else { continue }
            let value = words.split(separator: ":", maxSplits: 1).dropFirst().first.map { String($0.dropFirst()) }
            report(
                "\(name) is " + (value.map(\.excerpt) ?? "empty"),
                "must be as in RFC 5545: DTSTART:20261020T100000Z")
            isDamaged = true
        }
        if icalcomponent_get_first_property(event, ICAL_EXRULE_PROPERTY) != nil {
            report("has an EXRULE", "must list each exception as EXDATE")
            isDamaged = true
        }
        return isDamaged
    }

    private mutating func uid(_ event: OpaquePointer) -> String? {
        let uid = icalcomponent_get_uid(event).map { String(cString: $0) } ?? ""
        guard (1...Self.longestUID).contains(uid.utf8.count), uid.shown(upTo: Self.longestUID) == uid else {
            report(
                uid.isEmpty ? "has no UID" : "UID is \(uid.excerpt)",
                "must have 1 to \(Self.longestUID) bytes on one line: it identifies the lecture")
            return nil
        }
        return uid
    }

    private mutating func start(_ event: OpaquePointer) -> (property: OpaquePointer, seconds: Int64)? {
        guard let property = icalcomponent_get_first_property(event, ICAL_DTSTART_PROPERTY) else {
            report("has no DTSTART", "must have a start time")
            return nil
        }
        if Int(beacon_ical_instant(property, event, floating).state) == BEACON_ICAL_DATE {
            note("an all-day event is not a lecture: \(summary(event))")
            return nil
        }
        return instant(property, event, "DTSTART").map { (property, $0) }
    }

    private mutating func length(
        _ event: OpaquePointer, from start: (property: OpaquePointer, seconds: Int64)
    ) -> Int64? {
        var length: Int64 = 0
        if let property = icalcomponent_get_first_property(event, ICAL_DTEND_PROPERTY) {
            guard let end = instant(property, event, "DTEND") else { return nil }
            length = end - start.seconds
        } else if let property = icalcomponent_get_first_property(event, ICAL_DURATION_PROPERTY) {
            length = Self.seconds(icalproperty_get_duration(property))
        }
        if length < 0 {
            report("ends before it begins", "DTEND must be after DTSTART")
            return nil
        }
        guard (1...Self.longestLecture).contains(length) else {
            note(
                (length == 0 ? "an event without a duration" : "an event of more than a day")
                    + " is not a lecture: \(summary(event))")
            return nil
        }
        return length
    }

    /// Returns a duration in seconds. libical's own sum has 32 bits, so that 2^32 s and an hour would be an hour.
    /// `CalendarOutline` limits each number.
    private static func seconds(_ duration: icaldurationtype) -> Int64 {
        let days = 7 * Int64(duration.weeks) + Int64(duration.days)
        let minutes = 60 * Int64(duration.hours) + Int64(duration.minutes)
        let seconds = 86_400 * days + 60 * minutes + Int64(duration.seconds)
        return duration.is_neg == 0 ? seconds : -seconds
    }

    private mutating func instant(_ property: OpaquePointer, _ event: OpaquePointer, _ name: String) -> Int64? {
        let time = beacon_ical_instant(property, event, floating)
        if let mistake = RecurrenceReader.mistake(time, property, name) {
            report(mistake.found, mistake.allowed)
            return nil
        }
        return time.seconds
    }

    private func summary(_ event: OpaquePointer) -> String {
        (text(icalcomponent_get_summary(event)) ?? "").excerpt
    }

    private func courseName(_ event: OpaquePointer) -> String {
        var name: String?
        if course == .categories, let property = icalcomponent_get_first_property(event, ICAL_CATEGORIES_PROPERTY) {
            // Several categories are in one text, separated by commas.
            name = icalproperty_get_categories(property).flatMap { pointer in
                text(String(cString: pointer).split(separator: ",").first.map(String.init))
            }
        }
        return name ?? text(icalcomponent_get_summary(event)) ?? ""
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String? { text(pointer.map { String(cString: $0) }) }

    /// Returns a text on one line; `nil` when it is empty.
    private func text(_ text: String?) -> String? {
        let shown = text.map { $0.split { $0.isWhitespace }.joined(separator: " ").shown(upTo: Self.longestText) }
        return shown?.isEmpty == false ? shown : nil
    }
}
