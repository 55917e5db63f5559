import Attendance
import HTTPTypes
import InteractionStore
import Pages
import SignIn

// The list of uploaded timetables and rosters.
extension PageService {
    /// Shows what was uploaded, and the form that uploads.
    func timetable(_ request: PageRequest) async throws -> PageAnswer { try await timetablePage(request) }

    /// Returns the page with what was uploaded.
    ///
    /// - Parameters:
    ///   - reviews: what was found in files that were not saved.
    ///   - outcome: what happened to these files.
    ///   - consent: value of the field that agrees that students leave courses, or courses lose their timetable.
    func timetablePage(
        _ request: PageRequest, reviews: [UploadReview] = [], outcome: (text: String, isProblem: Bool)? = nil,
        consent: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> PageAnswer {
        let account = try request.account()
        guard let attendance = configuration.attendance else { throw PageError.noAttendance }
        let own = courses(of: account)
        var trouble: AttendanceTrouble?
        var uploads: [AttendanceUpload] = []
        do {
            uploads = try await api.files(attendance, now: request.now).uploads
        } catch let error as AttendanceFileError {
            trouble = AttendanceTrouble(error, showsContents: own == nil)
            // The one that is damaged can be removed.
            uploads = try await unreadUploads(account, attendance)
        }
        let words = DayWords(days: configuration.days)
        let shown = uploads.reversed().filter { upload in
            own.map { own in upload.courses.contains { own.contains(NameKey.of($0)) } } ?? true
        }
        return page(
            TimetablePage(
                request.frame("Timetable and roster", route: .lectures), trouble: trouble, reviews: reviews,
                outcome: outcome, uploads: shown.map { row($0, own: own, words) },
                configured: Self.configured(attendance),
                courses: Self.sentence(settings.courses(of: account).sorted(), own == nil),
                name: request.form["name"] ?? "", consent: consent),
            status: status)
    }

    private func row(_ upload: AttendanceUpload, own: Set<String>?, _ words: DayWords) -> TimetablePage.Upload {
        let isRoster = upload.kind == .roster
        var contents = "Cannot be read"
        var replaces: String?
        if isRoster, upload.students > 0 {
            contents = UploadCheck.count(upload.students, "student")
            if upload.replaced > 0 { replaces = "The roster of the configuration does not count for this course." }
        } else if let first = upload.first, let last = upload.last {
            contents =
                "\(UploadCheck.count(upload.lectures, "lecture")), \(words.day(of: first)) to \(words.day(of: last)): "
                + UploadCheck.list(upload.courses)
            if upload.replaced > 0 {
                replaces = "\(UploadCheck.count(upload.replaced, "event")) of other timetables replaced."
            }
        } else if upload.isRead {
            contents = "No lectures of the last 400 and the next 200 days"
        }
        return TimetablePage.Upload(
            kind: isRoster ? "Roster" : "Timetable", name: isRoster ? upload.courses.first ?? upload.name : upload.name,
            contents: contents, replaces: replaces, by: upload.by, at: words.time(upload.at),
            removal: upload.isWithin(own) ? .init(kind: upload.kind.rawValue, key: upload.name) : nil)
    }

    private static func configured(_ settings: AttendanceSettings) -> String {
        let parts = [
            settings.timetableFiles.isEmpty ? nil : UploadCheck.count(settings.timetableFiles.count, "timetable"),
            settings.rosterFile == nil ? nil : "a roster",
        ].compactMap(\.self)
        return parts.isEmpty
            ? "The configuration of this service names no timetable and no roster: only what is uploaded counts."
            : "The configuration of this service names \(parts.joined(separator: " and ")), which counts too."
    }

    private static func sentence(_ courses: [String], _ seesAll: Bool) -> String {
        if seesAll { return "You can upload for all courses." }
        return courses.isEmpty
            ? "No course is listed for your account, so you cannot upload. The person who runs this service lists your "
                + "courses in [[lecturers]] of the configuration."
            : "You can upload for your courses: \(UploadCheck.list(courses))."
    }
}
