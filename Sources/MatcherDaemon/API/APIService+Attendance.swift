import Attendance
import BeaconModel
import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import RecordContract
import SystemIO

extension APIService {
    /// Checks an operator's token and charges the operator's budget.
    ///
    /// - Returns: the operator.
    @discardableResult
    func authorizeOperator(_ secret: String?) throws(APIError) -> OperatorCredential {
        guard let credential = OperatorCredential.of(secret, among: operators) else { throw .unauthorizedOperator }
        if let seconds = budgets.withLock({ $0.take("o \(credential.name)", now: MonotonicSeconds.elapsed) }) {
            throw .tooMany(retryAfter: seconds)
        }
        return credential
    }

    /// Maximum length of a room's name, in characters.
    private static let longestRoom = 100

    /// Returns the attendance files. Reading them does not block the store for other requests.
    func files(_ settings: AttendanceSettings, now: Int64) async throws -> AttendanceFiles {
        try await attendanceFiles.files {
            let fixed = configuration.fixedSubjects
            let uploads = try await work { try $0.uploads() }
            return try await DedicatedThread.run(name: "timetable") {
                Result { try AttendanceFiles.load(settings, uploads: uploads, fixedBeacons: fixed, now: now) }
            }.get()
        }
    }

    private struct CheckInRequest: Decodable, Sendable {
        var room: String
        var kind: String
        var id: String
    }

    private struct CheckInAnswer: Encodable {
        var result: String
        var lecture: LectureDocument?
        /// Time of the check-in.
        var at: String?
        /// The student's next lecture in that room.
        var next: LectureDocument?
    }

    /// Checks a student in: by interactions or, in a room that only a floor plan has, by live positions.
    func checkIn(
        _ student: Roster.Student, room: String, by search: AttendanceSearch, now: Int64
    ) async throws -> CheckInDecision {
        let isShown = await live.shows(oneOf: student.subjects, in: room, within: search.rules.gap)
        return try await work { store in
            try search.checkIn(student: student.id, room: room, now: now, isShown: isShown, in: store)
        }
    }

    /// Checks a student in. The secret is that of a device or badge that the student carries.
    func checkIn(_ asked: APIRequest) async throws -> APIAnswer {
        let request = try JSONBody.decode(CheckInRequest.self, from: asked.body)
        guard let subject = SubjectIdentity(writtenKind: request.kind, id: request.id) else {
            throw APIError.wrongCredential
        }
        guard try await isRight(asked.secret, for: subject) else { throw APIError.wrongCredential }
        try await authorize(subject, by: asked)
        guard let settings = configuration.attendance else { throw APIError.notFound }
        let now = now()
        let isFixed = try await work { [configuration] store in
            try configuration.fixedSubjects.contains(subject)
                || !store.fixedBeacons(among: [subject], since: now - 86_400).isEmpty
        }
        if isFixed {
            throw APIError.invalid(
                "id", "is a fixed beacon, which nobody carries", "must be a badge or phone that the student carries")
        }
        let files = try await files(settings, now: now)
        guard let student = files.roster.student(with: subject) else { throw APIError.wrongCredential }
        let decision = try await checkIn(
            student, room: String(request.room.prefix(Self.longestRoom)),
            by: AttendanceSearch(configuration, settings, files, now: now), now: now)
        var answer = CheckInAnswer(result: decision.name)
        switch decision {
        case .successful(let lecture):
            answer.lecture = LectureDocument(lecture)
            answer.at = InstantText.utc(now)
        case .alreadySigned(let lecture, let at):
            answer.lecture = LectureDocument(lecture)
            answer.at = InstantText.utc(at)
        case .notInTheRoom(let lecture), .roomNotKnown(let lecture): answer.lecture = LectureDocument(lecture)
        case .credentialError: throw APIError.wrongCredential
        case .noLecture(let next): answer.next = next.map(LectureDocument.init)
        }
        return .json(.ok, JSON.encode(answer))
    }

    /// Answers with the attendance that an operator asks for, with names if the operator may see them.
    func attendance(_ request: APIRequest) async throws -> APIAnswer {
        let credential = try authorizeOperator(request.secret)
        // Each request takes seconds and tens of megabytes.
        guard attendanceAskers.withLock({ $0.insert(credential.name).inserted }) else { throw APIError.alreadyAsking }
        defer { attendanceAskers.withLock { _ = $0.remove(credential.name) } }
        return .json(.ok, JSON.encode(try await attendance(request.query, for: credential)))
    }

    private struct AttendanceAnswer: Encodable, Sendable {
        var entries: [AttendanceDocument]
        var students: [TotalDocument]
        var courses: [TotalDocument]

        var withoutNames: Self {
            Self(entries: entries.map(\.withoutNames), students: students.map(\.withoutNames), courses: courses)
        }
    }

    /// Maximum number of entries in one answer. The whole answer is in memory: some tens of megabytes.
    private static let mostEntries = 50_000
    /// Number of lectures in one store access. Other users of the store wait some milliseconds for it.
    private static let lecturesAtOnce = 20

    /// Returns the attendance that an operator asks for, and notes in the audit that it is shown.
    ///
    /// - Parameter query: `course`, `student`, `from`, `to`.
    private func attendance(
        _ query: [String: String], for credential: OperatorCredential
    ) async throws -> AttendanceAnswer {
        guard let settings = configuration.attendance else { throw APIError.notFound }
        let now = now()
        let known = ["course", "student", "from", "to"]
        if let other = query.keys.sorted().first(where: { !known.contains($0) }) {
            throw APIError.invalid(other.excerpt, "is unknown", "must be one of \(known.joined(separator: ", "))")
        }
        let days = configuration.days
        let from = try Self.time(query, "from")?.start(in: days) ?? now - configuration.retention * 86_400
        let end = try Self.time(query, "to") ?? .time(now)
        let to = end.end(in: days)
        guard from <= now else { throw APIError.invalid("from", "is in the future", "must be in the past") }
        guard !end.isOver(at: from, in: days) else {
            throw APIError.invalid("from", "is not before to", "must be before to")
        }
        let files = try await files(settings, now: now)
        if let course = query["course"], !files.roster.hasCourse(course) {
            throw APIError.invalid("course", "found \(course.excerpt)", "must be a course of the roster")
        }
        let student = query["student"]
        if let student, files.roster.student(student) == nil {
            throw APIError.invalid("student", "found \(student.excerpt)", "must be a student of the roster")
        }
        let course = query["course"].map(NameKey.of)
        let search = AttendanceSearch(configuration, settings, files, now: now)
        let lectures = try await DedicatedThread.run(name: "attendance") { () -> [Lecture]? in
            let lectures = files.timetable.lectures(from: from, to: to)
                .filter { $0.end <= now && (course == nil || NameKey.of($0.course) == course) }
            return search.hasMore(than: Self.mostEntries, of: lectures, student: student) ? nil : lectures
        }
        guard let lectures else {
            throw APIError.invalid(
                "the response", "has more than \(Self.mostEntries) entries",
                "specify a course, a student or a shorter time")
        }
        let entry = Self.entry(query, for: credential, now: now)
        try await work { try $0.note(entry) }
        var entries: [AttendanceEntry] = []
        for first in stride(from: 0, to: lectures.count, by: Self.lecturesAtOnce) {
            let some = Array(lectures[first..<min(first + Self.lecturesAtOnce, lectures.count)])
            // Other users of the store get their turn in between.
            entries += try await work { try search.entries(of: some, student: student, in: $0) }
        }
        let report = AttendanceReport(entries, now: now)
        let answer = AttendanceAnswer(
            entries: report.entries.map(AttendanceDocument.init), students: report.students.map(TotalDocument.init),
            courses: report.courses.map(TotalDocument.init))
        return credential.role.seesNames ? answer : answer.withoutNames
    }

    /// Returns the entry of the audit about a question. It has the words of the command `attendance`.
    private static func entry(
        _ query: [String: String], for credential: OperatorCredential, now: Int64
    ) -> AuditEntry {
        let (course, student) = (query["course"], query["student"])
        let lectures = student != nil && course != nil ? "lectures of a course" : "all lectures"
        return AuditEntry(
            at: now, account: credential.account, action: .sawAttendance, object: student ?? course ?? "",
            detail: "\(lectures) of \(student == nil ? "all students" : "the student")"
                + (credential.role.seesNames ? "" : ", without names"))
    }

    private static func time(_ query: [String: String], _ key: String) throws(APIError) -> DayOrTime? {
        guard let text = query[key] else { return nil }
        guard let time = DayOrTime(text) else {
            throw .invalid(key, "found \(text.excerpt)", "must be \(DayOrTime.form)")
        }
        return time
    }
}
