import CIcal
package import OperatorText

extension CalendarZone {
    /// Its days, by the changes of its clocks from 2000 to 2060. Before and after these years its clocks stand as they do
    /// then.
    package var days: CalendarDays {
        CalendarLibrary.use {
            let zone = pointer
            func offset(_ seconds: Int64) -> Int64 { zone.map { beacon_ical_local(seconds, $0) - seconds } ?? 0 }
            let first = offset(Self.firstSecond)
            var (changes, last) = ([CalendarDays.Change](), first)
            for start in stride(from: Self.firstSecond, to: Self.lastSecond, by: Int(Self.step)) {
                let next = offset(start + Self.step)
                guard next != last else { continue }
                // The second of the change is in between.
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

    /// 2000-01-01 and 2060-01-01, in seconds since 1970.
    private static let firstSecond: Int64 = 946_684_800
    private static let lastSecond: Int64 = 2_840_140_800
    /// No zone changes its clocks twice in so many seconds.
    private static let step: Int64 = 7 * 86_400
}
