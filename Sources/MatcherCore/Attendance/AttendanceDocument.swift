package import Attendance
import OperatorText

/// A student's attendance of a lecture, for programs: RFC 3339 times, minutes.
package struct AttendanceDocument: Encodable, Sendable {
    package var lecture: LectureDocument
    package var student: String
    package var name: String?
    /// Status that counts; `heard` is the status without corrections.
    package var status: AttendanceStatus
    package var heard: AttendanceStatus
    package var minutes: Double
    package var intervals: [Interval]
    package var checkedIn: String?
    package var corrections: [CorrectionDocument]
    /// `unsynchronized` if a gateway with an unsynchronized clock contributed: the times may be wrong. Omitted
    /// otherwise.
    package var clock: String?
    /// Explanation in sentences, for people.
    package var explanation: [String]

    package static let unsynchronized = "unsynchronized"

    /// The same for readers who may not see names: without the student's, and without who corrected it and why.
    package var withoutNames: Self {
        var document = self
        document.name = nil
        for index in document.corrections.indices {
            document.corrections[index].by = nil
            document.corrections[index].reason = nil
        }
        return document
    }

    package struct Interval: Encodable, Sendable {
        package var start: String
        package var end: String
    }

    package init(_ entry: AttendanceEntry) {
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

package struct LectureDocument: Encodable, Sendable {
    package var id: String
    package var course: String
    package var title: String
    package var room: String?
    package var start: String
    package var end: String

    package init(_ lecture: Lecture) {
        id = lecture.id
        course = lecture.course
        title = lecture.title
        room = lecture.room
        start = InstantText.utc(lecture.start)
        end = InstantText.utc(lecture.end)
    }
}

package struct CorrectionDocument: Encodable, Sendable {
    package var lecture: String
    package var student: String
    /// Time of the lecture when it was corrected. The correction counts if the present time overlaps it.
    package var start: String?
    package var end: String?
    package var at: String
    /// Who corrected it, and why; `nil` for readers who may not see it.
    package var by: String?
    package var reason: String?
    package var from: AttendanceStatus
    package var to: AttendanceStatus

    package init(_ correction: Correction) {
        lecture = correction.lecture
        student = correction.student
        start = correction.time.map { InstantText.utc($0.start) }
        end = correction.time.map { InstantText.utc($0.end) }
        at = InstantText.utc(correction.at)
        by = correction.by
        reason = correction.reason
        from = correction.from
        to = correction.to
    }
}

/// Attendance total of a student, or of a whole course: then without a student.
package struct TotalDocument: Encodable, Sendable {
    package var course: String
    package var student: String?
    package var name: String?
    package var attended: Int
    package var held: Int
    package var percent: Double?
    package var late: Int
    package var leftEarly: Int
    package var excused: Int
    package var unknown: Int

    /// The same without the student's name.
    package var withoutNames: Self {
        var document = self
        document.name = nil
        return document
    }

    package init(_ total: AttendanceReport.Total) {
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
