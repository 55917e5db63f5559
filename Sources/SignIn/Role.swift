/// Role of a person on the page, which decides what the person sees and can do.
package enum Role: String, CaseIterable, Comparable, Hashable, Sendable {
    /// Health officer: reports, exposures and people.
    case officer
    /// Lecturer: attendance at the lecturer's own courses.
    case lecturer
    /// Operator: floors, gateways and modules, without names of people.
    case `operator`
    /// Student or member of staff: their own risk and attendance.
    case student
    /// Auditor: who did what on the page.
    case auditor

    package static func < (one: Role, other: Role) -> Bool { one.rawValue < other.rawValue }
}
