package import Matching

/// Lecture with the stays in its room, from which the entry of each student follows.
package struct AttendanceSheet: Sendable {
    package var lecture: Lecture
    /// Configured radius of the room in centimetres; `nil` when the room is not configured.
    package var radius: Int64?
    /// Stays of all subjects at all places of the room, from a gap before the lecture until a gap after it.
    package var stays: [Stay]
    /// Stays that students' own phones reported by ranging. They count for the owner of the phone and give no evidence
    /// about others.
    package var reported: [Stay]
    /// Stays among `stays` whose times may be wrong.
    package var unsynchronized: [Stay]
    /// Whether interactions from that time are still stored.
    package var isKept: Bool

    /// Creates a sheet.
    ///
    /// - Parameter radius: radius of the room around its places, in centimetres; `nil` for a room that is not
    ///   configured.
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

    /// Returns the entry of each student.
    ///
    /// - Parameters:
    ///   - numbers: numbers of subjects in the stays; subjects that no gateway ever received have none.
    ///   - checkIns: check-ins for this lecture, by student. They count if students can check in to it at that time.
    ///   - corrections: corrections for this lecture, by student, in the order in which they were made.
    ///   - settled: recorded verdicts on this lecture, by student. They count once the interactions are deleted or
    ///     missing, unless the lecture was moved since.
    ///   - incomplete: students with erased data. A recorded verdict stands unless the remaining data supports a better
    ///     one, and absence without a recorded verdict becomes unknown.
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
            let written = settled[student.id].flatMap { verdict in
                verdict.concerns(lecture, isKept: isKept) ? AttendanceVerdict(verdict) : nil
            }
            let checkedIn = checkIns[student.id].flatMap { lecture.takesCheckIn(at: $0, rules: rules) ? $0 : nil }
            var known = verdict(room)
            if let written, isKept, known.dwell < written.dwell,
                known.status.merit < written.status.merit
            {
                // The evidence is missing: the store's retention was shorter, a gateway was moved to another room, or
                // the student's badge in the roster was changed.
                known = written
            } else if !isKept, written != nil || !incomplete.contains(student.id) {
                known = written ?? known
            } else if incomplete.contains(student.id) {
                if let written, known.status.merit <= written.status.merit {
                    known = written
                } else if known.status == .absent || carried != .heard || !isKept {
                    known = verdict(.erased)
                } else if known.status != .present {
                    known.reasons.append(.erased)
                }
            }
            return AttendanceEntry(
                lecture: lecture, student: student, verdict: known, checkedIn: checkedIn,
                corrections: corrections[student.id] ?? [])
        }
    }

    /// Whether the evidence for a verdict comes from an unsynchronized clock. For a student who was present, the
    /// evidence is the student's own stays; for an absent one, all stays in the room.
    private func isDoubtful(_ verdict: AttendanceVerdict, _ subjects: [Int64], _ rules: AttendanceRules) -> Bool {
        let told =
            switch verdict.status {
            case .unknown: [Stay]()
            case .absent: unsynchronized
            default: unsynchronized.filter { subjects.contains($0.subject) }
            }
        return ClockDoubt.concerns(told, from: lecture.start - rules.gap, to: lecture.end + rules.gap)
    }

    /// Returns the time without any subject in the room between the first and the last stay, in seconds; tolerated gaps
    /// do not count.
    private func silence(_ ranged: [Stay], _ rules: AttendanceRules) -> Int64 {
        let heard = RoomPresence.merged(stays + ranged, gap: rules.gap).filter {
            $0.start < lecture.end && $0.end >= lecture.start
        }
        return zip(heard, heard.dropFirst()).reduce(0) { $0 + $1.1.start - $1.0.end }
    }

    private func room(_ stays: [Stay]) -> AttendanceVerdict.Room {
        guard radius != nil else { return .notConfigured }
        // Some of the interactions may be deleted, but not all.
        guard isKept else { return .expired }
        let during = stays.filter { $0.start < lecture.end && $0.end >= lecture.start }
        guard let first = during.map(\.start).min(), let last = during.map(\.end).max() else {
            return .silent
        }
        return .heard(.init(start: max(first, lecture.start), end: min(last, lecture.end)))
    }
}

extension AttendanceStatus {
    /// Rank of the status in the student's favour.
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
