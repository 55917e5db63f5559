/// How somebody attended a lecture.
package enum AttendanceStatus: String, Sendable, CaseIterable, Codable {
    case present
    case late
    case leftEarly = "left-early"
    case lateAndLeftEarly = "late-and-left-early"
    case absent
    /// Known by a correction only: it counts neither for nor against.
    case excused
    /// What there is doesn't allow to say so: it counts neither for nor against.
    case unknown

    /// What a person may correct to.
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
