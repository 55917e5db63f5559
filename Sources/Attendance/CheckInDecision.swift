/// What follows when somebody wants to sign for a lecture in a room.
package enum CheckInDecision: Equatable, Sendable {
    case successful(Lecture)
    /// Since when, in seconds since 1970.
    case alreadySigned(Lecture, at: Int64)
    case notInTheRoom(Lecture)
    /// Whoever asks isn't a student of the roster.
    case credentialError
    /// None of the student's lectures is running there or begins soon; the next one within a week.
    case noLecture(next: Lecture?)

    /// A week, in seconds.
    private static let farthest: Int64 = 7 * 86_400

    /// For programs.
    package var name: String {
        switch self {
        case .successful: "successful"
        case .alreadySigned: "already-signed"
        case .notInTheRoom: "not-in-the-room"
        case .credentialError: "credential-error"
        case .noLecture: "no-lecture"
        }
    }

    /// - Parameters:
    ///   - student: as the roster names them; `nil` when the credential is nobody's.
    ///   - room: where they say that they are.
    ///   - now: seconds since 1970.
    ///   - presence: of the student in that room, lately.
    ///   - earlier: when the student signed, by lecture.
    package init(
        student: String?, room: String, now: Int64, timetable: Timetable, roster: Roster, presence: RoomPresence,
        earlier: [String: Int64], rules: AttendanceRules
    ) {
        guard let student, roster.student(student) != nil else {
            self = .credentialError
            return
        }
        let key = NameKey.of(room)
        // By start: whichever is running comes before the next one.
        let found = timetable.lectures.first {
            $0.end > now && $0.start - now < Self.farthest && NameKey.of($0.room ?? "") == key
                && roster.attends(student, course: $0.course)
        }
        guard let lecture = found, lecture.start - now <= rules.lookAhead else {
            self = .noLecture(next: found)
            return
        }
        if let at = earlier[lecture.id] {
            self = .alreadySigned(lecture, at: at)
        } else if presence.isThere(at: now, gap: rules.gap) {
            self = .successful(lecture)
        } else {
            self = .notInTheRoom(lecture)
        }
    }
}
