import CIcal
package import OperatorText

extension CalendarZone {
    /// Calendar days of the zone, from its clock changes between 2000 and 2060. Before and after these years the offset
    /// stays constant.
    package var days: CalendarDays {
        CalendarLibrary.use {
            let zone = pointer
            func offset(_ seconds: Int64) -> Int64 { zone.map { beacon_ical_local(seconds, $0) - seconds } ?? 0 }
            let first = offset(Self.firstSecond)
            var (changes, last) = ([CalendarDays.Change](), first)
            for start in stride(from: Self.firstSecond, to: Self.lastSecond, by: Int(Self.step)) {
                let next = offset(start + Self.step)
                guard next != last else { continue }
                // Find the second of the change by bisection.
                var (before, after) = (start, start + Self.step)
                while after - before > 1 {
                    let middle = (before + after) / 2
                    if offset(middle) == last { before = middle } else { after = middle }
                }
                changes.append(.init(at: after, offset: offset(after)))
                last = next
            }
            return CalendarDays(name: name, offset: first, changes: changes)
        }
    }

    /// Bounds in seconds since 1970: 2000-01-01 and 2060-01-01.
    private static let firstSecond: Int64 = 946_684_800
    private static let lastSecond: Int64 = 2_840_140_800
    /// Interval, in seconds, within which no zone changes its clocks twice.
    private static let step: Int64 = 7 * 86_400
}
