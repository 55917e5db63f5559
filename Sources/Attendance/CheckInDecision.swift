/// Decision on a student's check-in for a lecture in a room.
package enum CheckInDecision: Equatable, Sendable {
    case successful(Lecture)
    /// Earlier check-in, at this time in seconds since 1970.
    case alreadySigned(Lecture, at: Int64)
    case notInTheRoom(Lecture)
    /// Room in which nobody can be heard: it is not set up.
    case roomNotKnown(Lecture)
    /// Credential that belongs to no student of the roster.
    case credentialError
    /// No lecture of the student that is running in the room or begins soon; `next` is the next one within a week.
    case noLecture(next: Lecture?)

    /// Maximum time until the next lecture: a week, in seconds.
    private static let farthest: Int64 = 7 * 86_400

    /// Name of the decision for programs.
    package var name: String {
        switch self {
        case .successful: "successful"
        case .alreadySigned: "already-signed"
        case .notInTheRoom: "not-in-the-room"
        case .roomNotKnown: "room-not-known"
        case .credentialError: "credential-error"
        case .noLecture: "no-lecture"
        }
    }

    /// Decides on a check-in.
    ///
    /// - Parameters:
    ///   - student: the student id in the roster; `nil` when the credential is unknown.
    ///   - room: the room that the student claims to be in.
    ///   - now: seconds since 1970.
    ///   - isThere: whether the student is in that room now; `nil` if the room is not set up.
    ///   - earlier: times of the student's check-ins, by lecture.
    package init(
        student: String?, room: String, now: Int64, timetable: Timetable, roster: Roster, isThere: Bool?,
        earlier: [String: Int64], rules: AttendanceRules
    ) {
        guard let student, roster.student(student) != nil else {
            self = .credentialError
            return
        }
        let key = NameKey.of(room)
        // Lectures are sorted by start: a running one comes before the next one.
        let found = timetable.lectures.first {
            $0.end > now && $0.start - now < Self.farthest && NameKey.of($0.room ?? "") == key
                && roster.attends(student, course: $0.course)
        }
        guard let lecture = found, lecture.start - now <= rules.lookAhead else {
            self = .noLecture(next: found)
            return
        }
        // An earlier check-in outside that time was for another time of the lecture.
        if let at = earlier[lecture.id], lecture.takesCheckIn(at: at, rules: rules) {
            self = .alreadySigned(lecture, at: at)
        } else if let isThere {
            self = isThere ? .successful(lecture) : .notInTheRoom(lecture)
        } else {
            self = .roomNotKnown(lecture)
        }
    }
}
