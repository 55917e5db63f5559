/// Attendance of a student at a lecture.
package enum AttendanceStatus: String, Sendable, CaseIterable, Codable {
    case present
    case late
    case leftEarly = "left-early"
    case lateAndLeftEarly = "late-and-left-early"
    case absent
    /// Set by a correction only; it counts neither for nor against the student.
    case excused
    /// Undetermined by the data; it counts neither for nor against the student.
    case unknown

    /// Statuses that a correction can set.
    package static let corrections = allCases.filter { $0 != .unknown }

    package static let form = corrections.map(\.rawValue).joined(separator: ", ")

    package var isAttended: Bool {
        switch self {
        case .present, .late, .leftEarly, .lateAndLeftEarly: true
        case .absent, .excused, .unknown: false
        }
    }

    package var counts: Bool { isAttended || self == .absent }
}
