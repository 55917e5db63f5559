import Attendance
import HTTPTypes
import InteractionStore
import OperatorText
import Pages
import SignIn
import SystemIO

// Timetables and rosters that lecturers and officers upload.
extension PageService {
    /// Checks the files of a form, and saves them if nothing is wrong with any of them.
    func uploadTimetable(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        guard let attendance = configuration.attendance else { throw PageError.noAttendance }
        return try await withAttendance(request) { access in
            let (timetable, roster) = (request.files["timetable"], request.files["roster"])
            guard timetable != nil || roster != nil else {
                let outcome = "Nothing was saved. Choose a timetable, a roster, or both."
                return try await timetablePage(request, outcome: (outcome, true), status: .unprocessableContent)
            }
            let name = (request.form["name"] ?? "").onOneLine
            let rules = UploadCheck.Rules(
                access: access, settings: attendance, fixedBeacons: configuration.fixedSubjects,
                ownCourses: courseNames(of: account), by: Self.author(account))
            let checks = try await DedicatedThread.run(name: "upload") {
                UploadCheck.checks(timetable: timetable.map { (file: $0, name: name) }, roster: roster, rules)
            }
            let reviews = checks.map(\.review)
            if !checks.allSatisfy({ $0.problems.isEmpty }) {
                let outcome = "Nothing was saved, because of the mistakes below."
                return try await timetablePage(
                    request, reviews: reviews, outcome: (outcome, true), status: .unprocessableContent)
            }
            let consent = UploadCheck.consent(checks)
            if request.form["only"] == "check" {
                let outcome = "Nothing was saved yet. To save, choose the files again, and press Upload."
                return try await timetablePage(request, reviews: reviews, outcome: (outcome, false), consent: consent)
            }
            guard consent == nil || request.form["leaving"] == consent else {
                let outcome =
                    "Nothing was saved yet, because students would leave a course. If that is right, choose the files "
                    + "again, mark that you know it, and press Upload. Otherwise add these students to the roster."
                return try await timetablePage(
                    request, reviews: reviews, outcome: (outcome, true), consent: consent,
                    status: .unprocessableContent)
            }
            let uploads = checks.flatMap(\.uploads)
            let entries = checks.map { check in
                AuditEntry(
                    at: request.now, account: account, action: .uploaded, object: check.file, detail: check.audited)
            }
            guard try await api.work({ try $0.save(uploads, audit: entries) }) else {
                let outcome =
                    "Nothing was saved: there would be more than \(InteractionStore.mostUploads) uploads, or more than "
                    + "\(InteractionStore.mostUploadedBytes / 1_048_576) MB. Remove what is no longer needed."
                return try await timetablePage(
                    request, outcome: (outcome, true), status: .unprocessableContent)
            }
            await api.attendanceFiles.forget()
            let notice = checks.allSatisfy { $0.notes.isEmpty } ? DoneNotice.uploaded : .uploadedWithNotes
            return .redirect(PageRoute.lectures.path(done: notice))
        }
    }

    /// Removes an upload.
    func removeUpload(_ request: PageRequest) async throws -> PageAnswer {
        let account = try request.account()
        guard let attendance = configuration.attendance else { throw PageError.noAttendance }
        guard let kind = UploadedFile.Kind(rawValue: request.form["kind"] ?? ""), kind != .pendingPeople,
            let name = request.form["name"]
        else { throw PageError.noUpload }
        if courses(of: account) != nil {
            // Officers can also remove what cannot be read any more.
            let files = try await api.files(attendance, now: request.now)
            guard let upload = files.uploads.first(where: { $0.kind == kind && $0.name == name }) else {
                throw PageError.noUpload
            }
            guard upload.isWithin(courses(of: account)) else { throw PageError.notAllowed }
        }
        let entry = AuditEntry(
            at: request.now, account: account, action: .removedUpload, object: "\(kind.rawValue) \(name)")
        guard try await api.work({ try $0.removeUpload(kind, name: name, audit: entry) }) else {
            throw PageError.noUpload
        }
        await api.attendanceFiles.forget()
        return .redirect(PageRoute.timetable.path(done: .uploadRemoved))
    }
}

extension PageError {
    static let noUpload = Self(
        .notFound, "Upload not found", "There is no such upload. Somebody else may have removed it.",
        "Open Timetable and roster again.")
}
