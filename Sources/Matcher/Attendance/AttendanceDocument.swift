import Attendance
import OperatorText

/// A student's attendance of a lecture, for programs: RFC 3339 times, minutes.
struct AttendanceDocument: Encodable, Sendable {
    var lecture: LectureDocument
    var student: String
    var name: String?
    /// Status that counts; `heard` is the status without corrections.
    var status: AttendanceStatus
    var heard: AttendanceStatus
    var minutes: Double
    var intervals: [Interval]
    var checkedIn: String?
    var corrections: [CorrectionDocument]
    /// `unsynchronized` if a gateway with an unsynchronized clock contributed: the times may be wrong. Omitted
    /// otherwise.
    var clock: String?
    /// Explanation in sentences, for people.
    var explanation: [String]

    static let unsynchronized = "unsynchronized"

    struct Interval: Encodable, Sendable {
        var start: String
        var end: String
    }

    init(_ entry: AttendanceEntry) {
        lecture = LectureDocument(entry.lecture)
        student = entry.student.id
        name = entry.student.name
        status = entry.status
        heard = entry.verdict.status
        minutes = (Double(entry.verdict.dwell) / 6).rounded() / 10
        intervals = entry.verdict.intervals.map {
            Interval(start: InstantText.utc($0.start), end: InstantText.utc($0.end))
        }
        checkedIn = entry.checkedIn.map(InstantText.utc)
        corrections = entry.corrections.map(CorrectionDocument.init)
        clock = entry.verdict.clockIsSynchronized ? nil : Self.unsynchronized
        explanation = entry.verdict.reasons.map { $0.text(InstantText.utc) }
    }
}

struct LectureDocument: Encodable, Sendable {
    var id: String
    var course: String
    var title: String
    var room: String?
    var start: String
    var end: String

    init(_ lecture: Lecture) {
        id = lecture.id
        course = lecture.course
        title = lecture.title
        room = lecture.room
        start = InstantText.utc(lecture.start)
        end = InstantText.utc(lecture.end)
    }
}

struct CorrectionDocument: Encodable, Sendable {
    var lecture: String
    var student: String
    var at: String
    var by: String
    var reason: String
    var from: AttendanceStatus
    var to: AttendanceStatus

    init(_ correction: Correction) {
        lecture = correction.lecture
        student = correction.student
        at = InstantText.utc(correction.at)
        by = correction.by
        reason = correction.reason
        from = correction.from
        to = correction.to
    }
}

/// Attendance total of a student, or of a whole course: then without a student.
struct TotalDocument: Encodable, Sendable {
    var course: String
    var student: String?
    var name: String?
    var attended: Int
    var held: Int
    var percent: Double?
    var late: Int
    var leftEarly: Int
    var excused: Int
    var unknown: Int

    init(_ total: AttendanceReport.Total) {
        course = total.course
        student = total.student?.id
        name = total.student?.name
        attended = total.tally.attended
        held = total.tally.held
        percent = total.tally.percent.map { ($0 * 10).rounded() / 10 }
        late = total.tally.late
        leftEarly = total.tally.leftEarly
        excused = total.tally.excused
        unknown = total.tally.unknown
    }
}
