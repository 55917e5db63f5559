import CIcal

/// Check that the zones in a file can be expanded. libical stores every change of a zone until 2037 or later, and a
/// rule for every second would fill the memory.
enum ZoneCheck {
    private static let mostObservances = 500
    private static let mostDates = 5000
    /// Maximum number of entries in a yearly rule's lists: `BYMONTH=3;BYDAY=-1SU` has two, and some rules name seven
    /// days of the month.
    private static let mostEntries: Int32 = 16

    /// Returns what is wrong with the zones, for an error message; `nil` when nothing is.
    static func mistake(in root: OpaquePointer) -> String? {
        var state = (observances: 0, dates: 0, mistake: String?.none)
        visit(root, &state)
        return state.mistake
    }

    private static func visit(
        _ component: OpaquePointer, _ state: inout (observances: Int, dates: Int, mistake: String?)
    ) {
        let kind = icalcomponent_isa(component)
        if kind == ICAL_XSTANDARD_COMPONENT || kind == ICAL_XDAYLIGHT_COMPONENT {
            state.observances += 1
            state.dates += CalendarReader.properties(component, ICAL_RDATE_PROPERTY).count
            let rules = CalendarReader.properties(component, ICAL_RRULE_PROPERTY).map(beacon_ical_read_rule)
            if rules.count > 1 || rules.contains(where: { !isPlain($0) }) {
                state.mistake = "a VTIMEZONE has an unsupported rule"
            }
            if state.observances > mostObservances || state.dates > mostDates {
                state.mistake = "the zones have more than \(mostObservances) parts or \(mostDates) dates"
            }
        }
        if state.mistake != nil { return }
        for child in CalendarReader.children(component, ICAL_ANY_COMPONENT) { visit(child, &state) }
    }

    private static func isPlain(_ rule: beacon_ical_rule) -> Bool {
        rule.frequency == Int32(ICAL_YEARLY_RECURRENCE.rawValue) && rule.is_scaled == 0 && rule.times == 1
            && rule.days <= mostEntries
    }
}
