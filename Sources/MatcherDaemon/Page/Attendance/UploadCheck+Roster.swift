import Attendance
import InteractionStore
import Matching
import OperatorText
import Pages

extension UploadCheck {
    /// Maximum number of badges and phones of a student.
    private static let mostDevices = 20

    /// Checks a roster.
    static func roster(_ file: MultipartForm.File, _ rules: Rules) -> UploadCheck {
        var check = UploadCheck("Roster \(file.name)")
        let rows: [RosterRow]
        do throws(AttendanceFileError) {
            rows = try RosterFile.rows(file.bytes, file: file.name, fixedBeacons: rules.fixedBeacons)
        } catch {
            check.take(error)
            return check
        }
        guard !rows.isEmpty else {
            check.report(
                "file", "has no students", "must have a row for each course and each badge or phone of a student")
            return check
        }
        check.courses = Dictionary(rows.map { (NameKey.of($0.course), $0.course) }) { first, _ in first }
        let others = OtherCourses(rules.access, without: Set(check.courses.keys))
        var devices: [String: Set<SubjectIdentity>] = [:]
        for row in rows {
            check.find(row, others, rules)
            guard let subject = row.subject else { continue }
            devices[row.student, default: []].insert(subject)
            if devices[row.student]?.count == mostDevices + 1 {
                check.report(
                    "line \(row.line), column subject", "is badge or phone number \(mostDevices + 1) of a student",
                    "must be at most \(mostDevices)")
            }
        }
        check.taken = Set(
            rows.filter { row in
                others.foreign[row.student] != nil
                    && !rules.access.files.roster.attends(row.student, course: row.course)
            }.map(\.student)
        ).sorted()
        check.leaving = leaving(rows, check.courses, rules.access)
        check.given = given(rows, rules.access)
        let students = Set(rows.map(\.student))
        check.facts = [
            .init("Students", "\(students.count)"),
            .init("Without a badge or phone", "\(students.count { devices[$0] == nil })"),
            .init("Courses", list(check.courses.values.sorted())),
        ]
        check.uploads = Dictionary(grouping: rows + erasures(of: rows, rules)) { NameKey.of($0.course) }.sorted {
            $0.key < $1.key
        }.map {
            UploadedFile(
                .roster, name: $0.key, content: RosterFile.text(of: $0.value), by: rules.by, at: rules.access.now)
        }
        for upload in check.uploads { check.findUnreadable(upload, rules) }
        return check
    }

    /// Finds why a roster could not be read again as it would be stored: each cell has quotes then, and each row the
    /// name of its course.
    private mutating func findUnreadable(_ upload: UploadedFile, _ rules: Rules) {
        let course = courses[upload.name] ?? upload.name
        let size = upload.content.utf8.count
        guard size <= rules.longestRoster else {
            return report(
                "course \(course.excerpt)", "has \(size) bytes as it would be stored",
                "must have at most \(rules.longestRoster): leave rows out")
        }
        do throws(AttendanceFileError) {
            _ = try RosterFile.rows(Array(upload.content.utf8), file: file, fixedBeacons: rules.fixedBeacons)
        } catch {
            take(error)
        }
    }

    /// Returns the badges and phones that students do not have now, each after the student's number.
    private static func given(_ rows: [RosterRow], _ access: AttendanceAccess) -> [String] {
        let roster = access.files.roster
        return Set(
            rows.compactMap { row -> String? in
                guard let subject = row.subject, roster.student(row.student)?.subjects.contains(subject) != true
                else { return nil }
                return "\(row.student) \(subject)"
            }
        ).sorted()
    }

    /// Returns rows that keep when data of the students was erased: another badge or phone does not tell where they
    /// were before.
    private static func erasures(of rows: [RosterRow], _ rules: Rules) -> [RosterRow] {
        let roster = rules.access.files.roster
        var seen: Set<[String]> = []
        return rows.compactMap { row in
            guard let at = roster.student(row.student)?.erasedAt, roster.attends(row.student, course: row.course),
                seen.insert([NameKey.of(row.course), row.student]).inserted
            else { return nil }
            return RosterRow(
                line: row.line, course: row.course, student: row.student, name: row.name, erasedAt: at)
        }
    }

    /// Finds what is wrong with a row that is right by itself.
    private mutating func find(_ row: RosterRow, _ others: OtherCourses, _ rules: Rules) {
        let (access, line) = (rules.access, "line \(row.line)")
        if !access.sees(row.course) {
            report("\(line), column course", "found \(row.course.excerpt)", rules.ownForm)
        }
        // An erasure holds for all courses of a student: it is not a lecturer's to invent, nor to find out.
        if let at = row.erasedAt,
            access.files.roster.student(row.student)?.erasedAt != at
                || !access.files.roster.attends(row.student, course: row.course)
        {
            report(
                "\(line), column subject", "found an erasure",
                "must be a badge or phone, or empty: only an erasure writes this")
        }
        if let subject = row.subject, let owner = others.owners[subject], owner != row.student {
            // Lecturers do not learn who is in the courses of others.
            let whom = access.courses == nil ? owner.excerpt : "another student"
            report(
                "\(line), column subject", "\(subject) belongs to \(whom) in another course",
                "must belong to one student")
        }
        // A device counts in all courses of a student, and so does the name.
        guard let known = others.foreign[row.student] else { return }
        if let subject = row.subject, !known.subjects.contains(subject), others.owners[subject] != row.student {
            report(
                "\(line), column subject", "the student has other badges or phones in courses that are not yours",
                "must be empty, or one of these; a health officer can upload others")
        }
        if let name = row.name, let other = known.name, name != other {
            report(
                "\(line), column name", "the student has another name in courses that are not yours",
                "must be that name, or empty")
        }
    }
}

/// Students of the courses that are not in an uploaded roster.
private struct OtherCourses {
    /// Student numbers by badge or phone.
    var owners: [SubjectIdentity: String] = [:]
    /// Students of courses that the account may not see, by number.
    var foreign: [String: Roster.Student] = [:]

    init(_ access: AttendanceAccess, without keys: Set<String>) {
        let roster = access.files.roster
        for course in roster.courseNames where !keys.contains(NameKey.of(course)) {
            for student in roster.students(of: course) {
                for subject in student.subjects { owners[subject] = student.id }
                if !access.sees(course) { foreign[student.id] = student }
            }
        }
    }
}
