package import Matching

/// A lecture, with what was heard where it was: gives the entry of each student.
package struct AttendanceSheet: Sendable {
    package var lecture: Lecture
    /// What is configured of its room; `nil` when it isn't.
    package var radius: Int64?
    /// Everyone's at all places of the room, from a gap before the lecture until a gap after it.
    package var stays: [Stay]
    /// What students' own phones say that they ranged there: it counts for whose phone it is, and says nothing of others.
    package var reported: [Stay]
    /// Those of `stays` whose times may be wrong.
    package var unsynchronized: [Stay]
    /// Whether interactions of that time are kept still.
    package var isKept: Bool

    /// - Parameter radius: of the room around its places, in centimetres; `nil` for a room that isn't configured.
    package init(
        lecture: Lecture, radius: Int64?, stays: [Stay], reported: [Stay] = [], unsynchronized: [Stay] = [],
        isKept: Bool = true
    ) {
        self.lecture = lecture
        self.radius = radius
        self.stays = stays
        self.reported = reported
        self.unsynchronized = unsynchronized
        self.isKept = isKept
    }

    /// - Parameters:
    ///   - numbers: of subjects, as the stays have them; of those that no gateway ever heard there is none.
    ///   - checkIns: of this lecture, by student.
    ///   - corrections: of this lecture, by student, in the order in which they were made.
    ///   - settled: of this lecture, by student; it counts once what was heard isn't kept any more, or isn't there.
    ///   - incomplete: students of whom something was erased since. What was written down of them counts unless what is
    ///     left is better for them, and that they weren't there isn't known.
    package func entries(
        of students: [Roster.Student], numbers: [SubjectIdentity: Int64], checkIns: [String: Int64] = [:],
        corrections: [String: [Correction]] = [:], settled: [String: SettledVerdict] = [:],
        incomplete: Set<String> = [], rules: AttendanceRules
    ) -> [AttendanceEntry] {
        let bySubject = Dictionary(grouping: stays, by: \.subject)
        let reportedBySubject = Dictionary(grouping: reported, by: \.subject)
        let heardByGateways = room(stays)
        let silentTime = silence([], rules)
        return students.map { student in
            let subjects = student.subjects.compactMap { numbers[$0] }
            let own = subjects.flatMap { bySubject[$0] ?? [] }
            let ranged = subjects.flatMap { reportedBySubject[$0] ?? [] }
            let presence = RoomPresence(own + ranged, radius: radius ?? 0, rules: rules)
            let room = ranged.isEmpty ? heardByGateways : self.room(stays + ranged)
            let carried: AttendanceVerdict.Carried =
                student.subjects.isEmpty ? .nothing : subjects.isEmpty ? .neverHeard : .heard
            func verdict(_ room: AttendanceVerdict.Room) -> AttendanceVerdict {
                var verdict = AttendanceVerdict(
                    lecture, presence: presence, room: room,
                    silence: ranged.isEmpty ? silentTime : silence(ranged, rules), carried: carried, rules: rules)
                if isDoubtful(verdict, subjects, rules) { verdict.reasons.append(.clock) }
                return verdict
            }
            let written = settled[student.id].map { AttendanceVerdict($0) }
            var known = verdict(room)
            if let written, isKept, known.dwell < written.dwell,
                known.status.merit < written.status.merit
            {
                // What it rests on isn't there any more: the store kept it for a shorter time, a gateway was moved to another
                // room, or the roster has another badge since.
                known = written
            } else if !isKept {
                known = written ?? known
            } else if incomplete.contains(student.id) {
                if let written, known.status.merit <= written.status.merit {
                    known = written
                } else if known.status == .absent {
                    known = verdict(.expired)
                }
            }
            return AttendanceEntry(
                lecture: lecture, student: student, verdict: known, checkedIn: checkIns[student.id],
                corrections: corrections[student.id] ?? [])
        }
    }

    /// Whether a clock that wasn't synchronized told of what a verdict rests on: of somebody who was there their own stays, of
    /// somebody who wasn't everything that was heard in the room.
    private func isDoubtful(_ verdict: AttendanceVerdict, _ subjects: [Int64], _ rules: AttendanceRules) -> Bool {
        let told =
            switch verdict.status {
            case .unknown: [Stay]()
            case .absent: unsynchronized
            default: unsynchronized.filter { subjects.contains($0.subject) }
            }
        return ClockDoubt.concerns(told, from: lecture.start - rules.gap, to: lecture.end + rules.gap)
    }

    /// For how long nobody at all was heard between the first and the last, in seconds; what is tolerated isn't counted.
    private func silence(_ ranged: [Stay], _ rules: AttendanceRules) -> Int64 {
        let heard = RoomPresence.merged(stays + ranged, gap: rules.gap).filter {
            $0.start < lecture.end && $0.end >= lecture.start
        }
        return zip(heard, heard.dropFirst()).reduce(0) { $0 + $1.1.start - $1.0.end }
    }

    private func room(_ stays: [Stay]) -> AttendanceVerdict.Room {
        guard radius != nil else { return .notConfigured }
        // Some of what was heard then may be deleted, and not all of it.
        guard isKept else { return .expired }
        let during = stays.filter { $0.start < lecture.end && $0.end >= lecture.start }
        guard let first = during.map(\.start).min(), let last = during.map(\.end).max() else {
            return .silent
        }
        return .heard(.init(start: max(first, lecture.start), end: min(last, lecture.end)))
    }
}

extension AttendanceStatus {
    /// How good it is for a student.
    fileprivate var merit: Int {
        switch self {
        case .present, .excused: 4
        case .late, .leftEarly: 3
        case .lateAndLeftEarly: 2
        case .absent: 1
        case .unknown: 0
        }
    }
}
