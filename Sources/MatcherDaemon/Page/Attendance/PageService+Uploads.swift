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
                ownCourses: settings.courses(of: account).sorted(), by: Self.author(account))
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
                return try await timetablePage(
                    request, reviews: reviews, outcome: (UploadCheck.question(checks), true), consent: consent,
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
        if let own = courses(of: account) {
            guard let upload = try await stored(kind, name, attendance, now: request.now) else {
                throw PageError.noUpload
            }
            guard upload.isWithin(own) else { throw PageError.notAllowed }
        }
        let entry = AuditEntry(
            at: request.now, account: account, action: .removedUpload, object: "\(kind.rawValue) \(name)")
        guard try await api.work({ try $0.removeUpload(kind, name: name, audit: entry) }) else {
            throw PageError.noUpload
        }
        await api.attendanceFiles.forget()
        return .redirect(PageRoute.timetable.path(done: .uploadRemoved))
    }

    /// Returns an upload. If the files cannot be read, its courses are those that it had when it was uploaded: an upload
    /// that is broken can be removed by the lecturers of these courses.
    private func stored(
        _ kind: UploadedFile.Kind, _ name: String, _ attendance: AttendanceSettings, now: Int64
    ) async throws -> AttendanceUpload? {
        do {
            return try await api.files(attendance, now: now).uploads.first { $0.kind == kind && $0.name == name }
        } catch is AttendanceFileError {
            let files = try await api.work { try $0.uploads() }
            guard let file = files.first(where: { $0.kind == kind && $0.name == name }) else { return nil }
            return try await DedicatedThread.run(name: "upload") {
                AttendanceUpload(unread: file, courses: AttendanceUpload.courses(of: file, attendance))
            }
        }
    }

    /// Returns uploads of an account while the files cannot be read, so that the damaged one can be removed: an
    /// officer's are all, a lecturer's those that were uploaded under the same name, and the rosters of the courses.
    func unreadUploads(_ account: Account, _ attendance: AttendanceSettings) async throws -> [AttendanceUpload] {
        let files = try await api.work { try $0.uploads() }
        guard let own = courses(of: account) else { return files.map { AttendanceUpload(unread: $0) } }
        let author = Self.author(account)
        return try await DedicatedThread.run(name: "upload") {
            files.filter { $0.kind == .roster ? own.contains($0.name) : $0.by == author }.map {
                AttendanceUpload(unread: $0, courses: AttendanceUpload.courses(of: $0, attendance))
            }
        }
    }
}

extension PageError {
    static let noUpload = Self(
        .notFound, "Upload not found", "There is no such upload. Somebody else may have removed it.",
        "Open Timetable and roster again.")
}
