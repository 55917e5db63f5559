import OperatorText

/// The skeleton of an iCalendar file (RFC 5545, section 3.4) with its lines, which libical doesn't tell; and the bounds
/// that are held before libical sees the file.
struct CalendarOutline {
    /// Of each event, the line of its `BEGIN:VEVENT`, in the order of the file.
    private(set) var eventLines: [Int] = []
    private(set) var problem: ConfigurationProblem?

    /// Components within components: an alarm in an event in a calendar is three.
    private static let deepest = 8
    static let mostEvents = 10_000
    static let longest = 1024 * 1024

    init(_ bytes: [UInt8]) { read(bytes) }

    private mutating func read(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest else {
            return note(nil, "has \(bytes.count) bytes", "must have \(Self.longest) at most: export less of it")
        }
        if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil {
            return note(nil, "holds bytes that are no UTF-8 text", "must be an iCalendar file")
        }
        var open: [(name: String, line: Int)] = []
        var line = 0
        var hasCalendar = false
        for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            line += 1
            if let name = Self.name(part, after: "BEGIN:") {
                if open.isEmpty, name != "VCALENDAR" {
                    return note(line, "BEGIN:\(name.shown(upTo: 40)) is outside a calendar", Self.within)
                }
                hasCalendar = true
                if name == "VEVENT", open.count == 1 { eventLines.append(line) }
                open.append((name, line))
                if open.count > Self.deepest {
                    return note(
                        line, "has \(open.count) components within each other", "must have \(Self.deepest) at most")
                }
            } else if let name = Self.name(part, after: "END:") {
                guard let last = open.popLast(), last.name == name else {
                    return note(line, "END:\(name.shown(upTo: 40)) isn't the end of what was begun last", Self.within)
                }
            }
        }
        if let last = open.last {
            return note(last.line, "BEGIN:\(last.name.shown(upTo: 40)) has no end: the file is cut off", Self.within)
        }
        if !hasCalendar { return note(nil, "has no BEGIN:VCALENDAR", "must be an iCalendar file") }
        if eventLines.count > Self.mostEvents {
            note(nil, "has \(eventLines.count) events", "must have \(Self.mostEvents) at most: export less of it")
        }
    }

    private static let within = "each BEGIN must have its END within BEGIN:VCALENDAR and END:VCALENDAR"

    private mutating func note(_ line: Int?, _ found: String, _ allowed: String) {
        problem = ConfigurationProblem(location: line.map { "line \($0)" } ?? "file", found: found, allowed: allowed)
    }

    /// The name in upper case; `nil` for another line.
    private static func name(_ line: ArraySlice<UInt8>, after keyword: String) -> String? {
        // The mark that some write at the beginning of a file.
        let line = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        guard line.count >= keyword.utf8.count,
            zip(line, keyword.utf8).allSatisfy({ upper($0) == $1 })
        else { return nil }
        let rest = line.dropFirst(keyword.utf8.count).map(upper)
        return String(decoding: rest.prefix { $0 > 0x20 }, as: UTF8.self)
    }

    private static func upper(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 0x20 : byte
    }
}
