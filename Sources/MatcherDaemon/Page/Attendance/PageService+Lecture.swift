import Attendance
import HTTPTypes
import InteractionStore
import OperatorText
import Pages
import SignIn

// One lecture: its students, the table for a spreadsheet, and corrections.
extension PageService {
    /// Maximum number of students on a page.
    private static let mostStudents = 100

    /// Shows the attendance of a lecture.
    func lecture(_ request: PageRequest) async throws -> PageAnswer {
        try await withAttendance(request) { access in
            let lecture = try access.lecture(request.query["id"])
            let entries = try await entries(of: [lecture], by: access.search)
            try await note(.sawAttendance, lecture.id, request, detail: lecture.course)
            let from = request.query["from"].flatMap { Int($0) } ?? 0
            return page(content(of: lecture, entries, from: from, access, request))
        }
    }

    /// Answers with the attendance of a lecture as CSV, as the command `attendance report --csv` prints it.
    func lectureTable(_ request: PageRequest) async throws -> PageAnswer {
        try await withAttendance(request) { access in
            let lecture = try access.lecture(request.query["id"])
            guard lecture.end <= access.now else {
                throw PageError.invalid(
                    "The lecture is not over, so there is no table of its attendance yet.",
                    "Ask again after \(access.words.time(lecture.end)).")
            }
            let report = AttendanceReport(try await entries(of: [lecture], by: access.search), now: access.now)
            try await note(.exported, lecture.id, request, detail: "attendance of \(lecture.course)")
            let lines = [CSVLine.text(AttendanceText.columns)] + report.entries.map { AttendanceText.csv($0) }
            let day = DayText.text(configuration.days.day(of: lecture.start))
            return PageAnswer(
                content: .table(name: "attendance-\(day).csv", csv: lines.map { $0 + "\r\n" }.joined()))
        }
    }

    /// Corrects a student's status.
    func correct(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        return try await withAttendance(request) { access in
            let lecture = try access.lecture(request.form["lecture"])
            let student = request.form["student"] ?? ""
            guard access.files.roster.attends(student, course: lecture.course) else { throw PageError.notInCourse }
            let students = access.files.roster.students(of: lecture.course).inNameOrder
            let index = students.firstIndex { $0.id == student } ?? 0
            let draft = CorrectionDraft(student: student, request.form)
            guard let status = draft.status, draft.problem == nil else {
                let entries = try await entries(of: [lecture], by: access.search)
                try await note(.sawAttendance, lecture.id, request, detail: lecture.course)
                let content = content(of: lecture, entries, from: index, draft: draft, access, request)
                return page(content, status: .unprocessableContent)
            }
            let correction = Correction(
                lecture: lecture.id, student: student, time: LectureTime(lecture), at: request.now,
                by: Self.author(account), reason: draft.reason, from: .unknown, to: status)
            let entry = AuditEntry(
                at: request.now, account: account, action: .correctedAttendance, object: lecture.id,
                detail: "\(student): \(status.rawValue)")
            try await api.work { store in
                var correction = correction
                let former = try access.search.entries(of: [lecture], student: student, in: store).first?.status
                correction.from = former ?? .unknown
                try store.correct(correction, audit: entry)
            }
            let part = index < Self.mostStudents ? "" : "&from=\(index)"
            return .redirect("\(lecture.path)\(part)&\(DoneNotice.corrected.query)")
        }
    }

    /// Returns the name under which an account corrects and uploads.
    static func author(_ account: Account) -> String {
        let name = account.name.contains { !$0.isWhitespace } ? account.name : account.subject
        return name.shown(upTo: Correction.longestName)
    }

    /// Returns the page of a lecture.
    ///
    /// - Parameters:
    ///   - first: place of a student in the list; the page with this student is shown.
    ///   - draft: correction that was not accepted.
    private func content(
        of lecture: Lecture, _ entries: [AttendanceEntry], from first: Int, draft: CorrectionDraft? = nil,
        _ access: AttendanceAccess, _ request: PageRequest
    ) -> LecturePage {
        let entries = entries.sorted {
            ($0.student.label.lowercased(), $0.student.id) < ($1.student.label.lowercased(), $1.student.id)
        }
        let part = StudentPart(with: first, of: entries.count, most: Self.mostStudents)
        func path(_ index: Int) -> String { "\(lecture.path)&from=\(index)" }
        let isOver = lecture.end <= access.now
        return LecturePage(
            request.frame(lecture.course, route: .lectures), lecture: lecture.id, course: lecture.course,
            title: lecture.ownTitle, when: access.words.span(lecture.start, lecture.end), room: lecture.roomText,
            pending: isOver
                ? nil
                : "This lecture is not over. Its attendance is judged after \(access.words.time(lecture.end)); until "
                    + "then only check-ins and corrections are shown.",
            counts: Self.counts(entries, now: access.now),
            rows: entries[part.range].map { Self.row($0, draft: draft, access) },
            tablePath: isOver ? PageRoute.lectureTable.path(["id": lecture.id]) : nil,
            listPath: PageRoute.lectures.path(["course": lecture.course]),
            part: part.extent, previousPath: part.previous.map(path), nextPath: part.next.map(path))
    }

    private static func counts(_ entries: [AttendanceEntry], now: Int64) -> [LecturePage.Count] {
        var counts = [LecturePage.Count(label: "Students", number: "\(entries.count)")]
        let judged = entries.filter { $0.lecture.end <= now || $0.correction != nil }
        for status in AttendanceStatus.allCases {
            let number = judged.count { $0.status == status }
            if number > 0 { counts.append(.init(label: AttendanceWords.word(status).word, number: "\(number)")) }
        }
        let signed = entries.count { $0.checkedIn != nil }
        if signed > 0 { counts.append(.init(label: "Signed", number: "\(signed)")) }
        let corrected = entries.count { $0.correction != nil }
        if corrected > 0 { counts.append(.init(label: "Corrected", number: "\(corrected)")) }
        return counts
    }

    private static func row(
        _ entry: AttendanceEntry, draft: CorrectionDraft?, _ access: AttendanceAccess
    ) -> LecturePage.Row {
        let (student, words) = (entry.student, AttendanceWords(words: access.words))
        let draft = draft?.student == student.id ? draft : nil
        // What most corrections set: the status that the student has would correct nothing.
        let selected = draft?.status ?? (entry.status == .present ? .absent : .present)
        return LecturePage.Row(
            student: student.label, id: student.id, isNamed: student.name != nil,
            timelinePath: student.timelinePath, status: words.status(entry, now: access.now),
            stay: entry.lecture.end <= access.now ? words.stay(entry.verdict) : nil, checkIn: words.checkIn(entry),
            reasons: words.reasons(entry, now: access.now),
            corrections: entry.corrections.map { words.correction($0, of: entry.lecture) },
            form: LecturePage.Form(
                options: AttendanceStatus.corrections.map {
                    SelectOption(
                        value: $0.rawValue, label: AttendanceWords.word($0).word, isSelected: $0 == selected)
                }, typed: draft?.typed ?? "", problem: draft?.problem))
    }
}

/// Correction as typed in a form. Pure.
struct CorrectionDraft: Equatable, Sendable {
    var student: String
    var status: AttendanceStatus?
    /// Reason as typed, for the form.
    var typed: String
    /// Reason without spaces at its ends.
    var reason: String
    /// Reason why the correction is not accepted, in a sentence.
    var problem: String?

    init(student: String, _ form: [String: String]) {
        self.student = student
        status = form["status"].flatMap { AttendanceStatus(rawValue: $0) }
            .flatMap { AttendanceStatus.corrections.contains($0) ? $0 : nil }
        typed = form["reason"] ?? ""
        reason = typed.trimmed
        if status == nil {
            problem = "Nothing was saved. Choose a status from the list."
        } else if reason.isEmpty || reason.shown(upTo: Correction.longestReason) != reason {
            problem =
                "Nothing was saved. Write why, in 1 to \(Correction.longestReason) characters on one line."
        }
    }
}

extension PageError {
    static let notInCourse = Self(
        .notFound, "Student not found", "The roster has no such student in this course, so nothing was saved.",
        "Open the lecture again, and choose a student there.")
}
