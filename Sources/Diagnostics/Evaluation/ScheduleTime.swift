package import BeaconModel
import OperatorText

/// Time as written in a schedule: a date and time, or a stopwatch reading.
package enum ScheduleTime: Equatable {
    case at(Timestamp)
    /// Time relative to the schedule's start.
    case after(Duration)

    package static let form = "a time, 2026-11-21T10:00:00Z, or one after the start, +90s, +5m or +12:30"

    /// Parses either form; returns `nil` for anything else.
    package init?(_ text: String) {
        guard text.hasPrefix("+") else {
            guard let time = RFC3339Text.parse(text) else { return nil }
            self = .at(time)
            return
        }
        let offset = String(text.dropFirst())
        guard let duration = DurationText.parse(offset) ?? Self.stopwatch(offset) else { return nil }
        self = .after(duration)
    }

    /// Parses `m:ss` or `h:mm:ss`. In `m:ss`, minutes can exceed 59.
    private static func stopwatch(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var seconds = 0
        for (index, part) in parts.enumerated() {
            guard let number = digits(part, index == 0 ? 1...4 : 2...2), index == 0 || number < 60
            else { return nil }
            seconds = seconds * 60 + number
        }
        return .seconds(seconds)
    }

    private static func digits(_ text: String, _ lengths: ClosedRange<Int>) -> Int? {
        guard lengths.contains(text.utf8.count), text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else {
            return nil
        }
        return Int(text)
    }
}
