/// How somebody attended a lecture.
public enum AttendanceStatus: String, Sendable, CaseIterable, Codable {
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
    public static let corrections = allCases.filter { $0 != .unknown }

    public static let form = corrections.map(\.rawValue).joined(separator: ", ")

    public var isAttended: Bool {
        switch self {
        case .present, .late, .leftEarly, .lateAndLeftEarly: true
        case .absent, .excused, .unknown: false
        }
    }

    public var counts: Bool { isAttended || self == .absent }
}
