import Attendance
import OperatorText
import Pages

/// Attendance in words for pages. Pure.
struct AttendanceWords: Sendable {
    var words: DayWords

    /// Returns the status that counts. Before the end of a lecture only a correction says one.
    func status(_ entry: AttendanceEntry, now: Int64) -> StatusWord {
        if entry.lecture.end > now, entry.correction == nil { return StatusWord("Not over yet") }
        return Self.word(entry.status)
    }

    static func word(_ status: AttendanceStatus) -> StatusWord {
        switch status {
        case .present: StatusWord("Present", tone: "good")
        case .late: StatusWord("Late", tone: "warn")
        case .leftEarly: StatusWord("Left early", tone: "warn")
        case .lateAndLeftEarly: StatusWord("Late and left early", tone: "warn")
        case .absent: StatusWord("Absent", tone: "bad")
        case .excused: StatusWord("Excused")
        case .unknown: StatusWord("Not known")
        }
    }

    /// Returns why the verdict is as it is, in sentences; none before the end of the lecture.
    func reasons(_ entry: AttendanceEntry, now: Int64) -> [String] {
        entry.lecture.end > now ? [] : entry.verdict.reasons.map { $0.text(words.time).asSentence }
    }

    /// Returns the time in the room; `nil` if the student was not heard there.
    func stay(_ verdict: AttendanceVerdict) -> String? {
        guard let first = verdict.firstSeen, let last = verdict.lastSeen else { return nil }
        return "\(words.clock(first)) to \(words.clock(last)), \(Format.fixed(Double(verdict.dwell) / 60, 0)) min"
    }

    func checkIn(_ entry: AttendanceEntry) -> String? { entry.checkedIn.map { "Checked in at \(words.clock($0))" } }

    /// Returns a correction, and the time that it was about if the lecture is no longer then.
    ///
    /// - Parameter lecture: the lecture at its present time; `nil` if the timetable has it no more.
    func correction(_ correction: Correction, of lecture: Lecture?) -> LecturePage.Correction {
        var moved: String?
        if let lecture, let time = correction.time, time != LectureTime(lecture) {
            moved = "when the lecture was \(words.span(time.start, time.end))"
            if !correction.concerns(lecture) { moved? += ", so it does not count now" }
        }
        return LecturePage.Correction(
            at: words.time(correction.at), by: correction.by, former: Self.inline(correction.from),
            new: Self.inline(correction.to), why: correction.reason, moved: moved)
    }

    /// Returns the correction that counts in a sentence; `nil` if there is none.
    func latestCorrection(_ entry: AttendanceEntry) -> String? {
        entry.correction.map {
            "Corrected from \(Self.inline($0.from)) by \($0.by), \(words.time($0.at)): \($0.reason)"
        }
    }

    static func total(_ tally: AttendanceTally, label: String, number: String? = nil, path: String? = nil)
        -> LecturesPage.Total
    {
        LecturesPage.Total(
            label: label, number: number, path: path, attended: "\(tally.attended) of \(tally.held)",
            percent: tally.percent.map { Format.fixed($0, 0) + " %" } ?? "none counts", late: "\(tally.late)",
            leftEarly: "\(tally.leftEarly)", excused: "\(tally.excused)", unknown: "\(tally.unknown)")
    }

    /// Returns the word of a status within a sentence.
    private static func inline(_ status: AttendanceStatus) -> String { word(status).word.lowercased() }
}

extension Roster.Student {
    /// Name, or the number of a student whose name is not known.
    var label: String { name ?? id }

    /// Number that is shown beside the label; `nil` if it is the label.
    var furtherNumber: String? { name == nil ? nil : id }

    /// Path of the student's attendance.
    var timelinePath: String { PageRoute.timeline.path(["student": id]) }
}

extension Lecture {
    /// Title; `nil` if it says no more than the course.
    var ownTitle: String? { title.isEmpty || NameKey.of(title) == NameKey.of(course) ? nil : title }

    var roomText: String { room ?? "No room in the timetable" }

    /// Path of the lecture's page.
    var path: String { PageRoute.lecture.path(["id": id]) }
}
