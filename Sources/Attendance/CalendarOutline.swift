package import OperatorText

/// Outline of an iCalendar file (RFC 5545, section 3.4) with line numbers, which libical does not provide. It also
/// enforces limits before libical reads the file.
///
/// libical is given `text`, in which every line is unfolded and every beginning and end of a component is written in
/// one way. It therefore cannot find components that were not counted.
package struct CalendarOutline {
    /// Line of each event's `BEGIN:VEVENT`, in the order of the file.
    package private(set) var eventLines: [Int] = []
    package private(set) var problem: ConfigurationProblem?
    /// Checked text; longer than the file by one byte at most.
    package private(set) var text: [UInt8] = []

    /// Maximum nesting of components: an alarm in an event in a calendar is three.
    private static let deepest = 8
    static let mostEvents = 10_000
    /// Maximum number of values in a line; libical silently drops further ones (MAXIMUM_ALLOWED_MULTIPLE_VALUES).
    package static let mostDates = 500
    package static let longest = 1024 * 1024

    package init(_ bytes: [UInt8]) { read(bytes) }

    private mutating func read(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest else {
            return note(nil, "has \(bytes.count) bytes", "must have at most \(Self.longest): export less of it")
        }
        if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
            return note(nil, "is not UTF-8 text", "must be an iCalendar file")
        }
        // Byte order mark that some programs write at the beginning of a file.
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        text.reserveCapacity(body.count + 1)
        var open: [(name: String, line: Int)] = []
        var hasCalendar = false
        var event = EventLineCheck()
        for (line, whole) in CalendarLines(body) {
            // A line that begins with a space would continue the previous one.
            let content = whole.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard !content.isEmpty else { continue }
            let parameters = Self.parameters(of: content)
            if parameters > Self.mostParameters {
                return note(line, "has \(parameters) parameters", "must have at most \(Self.mostParameters)")
            }
            if let values = Self.dates(in: content), values > Self.mostDates {
                return note(line, "has \(values) dates", "must have at most \(Self.mostDates): write several lines")
            }
            if open.count == 1, Self.name(of: content) == "METHOD",
                String(decoding: content, as: UTF8.self).uppercased().hasSuffix(":CANCEL")
            {
                return note(line, "is a calendar of cancelled events", "must be a calendar of scheduled events")
            }
            if Self.hasLongNumber(in: content) {
                let found = String(decoding: content, as: UTF8.self).excerpt
                return note(line, "found \(found)", "must have numbers of \(Self.mostDigits) digits at most")
            }
            guard let mark = ComponentMark(content) else {
                if open.last?.name == "VEVENT",
                    let mistake = event.mistake(in: content, name: Self.name(of: content))
                {
                    return note(line, mistake.found, mistake.allowed)
                }
                add(content)
                continue
            }
            guard let name = mark.name else {
                let found = String(decoding: content, as: UTF8.self).excerpt
                return note(line, "found \(found)", "must be \(mark.kind.rawValue): and the name of a component")
            }
            add(mark.line[...])
            switch mark.kind {
            case .begin:
                if open.isEmpty, name != "VCALENDAR" {
                    return note(line, "BEGIN:\(name.shown(upTo: 40)) is outside a calendar", Self.within)
                }
                hasCalendar = true
                if name == "VEVENT" {
                    // libical ignores events within other components.
                    guard open.count == 1 else {
                        return note(line, "BEGIN:VEVENT is not directly in a calendar", Self.within)
                    }
                    eventLines.append(line)
                    event = EventLineCheck()
                }
                open.append((name, line))
                if open.count > Self.deepest {
                    return note(
                        line, "has \(open.count) nested components", "must have at most \(Self.deepest)")
                }
            case .end:
                guard let last = open.popLast(), last.name == name else {
                    return note(line, "END:\(name.shown(upTo: 40)) does not match the last BEGIN", Self.within)
                }
            }
        }
        if let last = open.last {
            return note(last.line, "BEGIN:\(last.name.shown(upTo: 40)) has no END: the file is truncated", Self.within)
        }
        if !hasCalendar { return note(nil, "has no BEGIN:VCALENDAR", "must be an iCalendar file") }
        if eventLines.count > Self.mostEvents {
            note(nil, "has \(eventLines.count) events", "must have at most \(Self.mostEvents): export less of it")
        }
    }

    /// Returns the number of values of an `EXDATE` or `RDATE`; `nil` for another line.
    private static func dates(in line: ArraySlice<UInt8>) -> Int? {
        guard ["EXDATE", "RDATE"].contains(name(of: line)) else { return nil }
        return 1 + line.count { $0 == UInt8(ascii: ",") }
    }

    /// Maximum number of digits in a `DURATION`. No lecture needs more, and they overflow in libical.
    private static let mostDigits = 8

    private static func hasLongNumber(in line: ArraySlice<UInt8>) -> Bool {
        guard name(of: line) == "DURATION" else { return false }
        var digits = 0
        return line.contains { byte in
            digits = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? digits + 1 : 0
            return digits > mostDigits
        }
    }

    private static func name(of line: ArraySlice<UInt8>) -> String {
        String(decoding: line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }, as: UTF8.self).uppercased()
    }

    private static let within = "each BEGIN must have its END within BEGIN:VCALENDAR and END:VCALENDAR"

    private mutating func add(_ line: ArraySlice<UInt8>) {
        text += line
        text.append(UInt8(ascii: "\n"))
    }

    private mutating func note(_ line: Int?, _ found: String, _ allowed: String) {
        problem = ConfigurationProblem(location: line.map { "line \($0)" } ?? "file", found: found, allowed: allowed)
    }
}
