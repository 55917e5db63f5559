package import Matching
import OperatorText

/// Reader for rosters: CSV with the columns `course`, `student`, `subject` and, optionally, `name`, and a row for each
/// course and device of a student.
package struct RosterFile {
    private var accepted: [RosterRow] = []
    private var problems: [ConfigurationProblem] = []
    /// Number of problems that are not listed.
    private var others = 0
    private var columns: [String: Int] = [:]
    private var owners: [SubjectIdentity: (student: String, line: Int)] = [:]
    private var names: [String: (name: String, line: Int)] = [:]
    private var rows: [[String]: Int] = [:]
    private let fixedBeacons: Set<SubjectIdentity>

    /// Maximum size in bytes.
    package static let longest = 8 * 1024 * 1024
    package static let longestName = 100
    /// Maximum number of problems that are listed: a file can have one in each row.
    private static let mostListed = 50

    private init(fixedBeacons: Set<SubjectIdentity>) { self.fixedBeacons = fixedBeacons }

    /// Parses a roster.
    ///
    /// - Parameters:
    ///   - file: the file that problems refer to.
    ///   - fixedBeacons: installed beacons, which no one carries.
    /// - Throws: `AttendanceFileError` with the first problems, and the number of the others.
    package static func parse(
        _ bytes: [UInt8], file: String, fixedBeacons: Set<SubjectIdentity> = []
    ) throws(AttendanceFileError) -> Roster {
        let accepted = try rows(bytes, file: file, fixedBeacons: fixedBeacons)
        return Roster([accepted])
    }

    /// Returns the rows of a roster, in their order.
    ///
    /// - Throws: `AttendanceFileError` with the first problems, and the number of the others.
    package static func rows(
        _ bytes: [UInt8], file: String, fixedBeacons: Set<SubjectIdentity> = []
    ) throws(AttendanceFileError) -> [RosterRow] {
        var reader = RosterFile(fixedBeacons: fixedBeacons)
        reader.read(bytes)
        guard reader.problems.isEmpty else {
            throw AttendanceFileError(path: file, problems: reader.problems, others: reader.others)
        }
        return reader.accepted
    }

    /// Returns a file from which the same rows can be read. Of the erasures of a student in a course only the latest is
    /// written.
    package static func text(of rows: [RosterRow]) -> String {
        func key(_ row: RosterRow) -> [String] { [NameKey.of(row.course), row.student] }
        var latest: [[String]: Int64] = [:]
        for row in rows { if let at = row.erasedAt { latest[key(row)] = max(latest[key(row)] ?? at, at) } }
        var text = line(["course", "student", "subject", "name"])
        for row in rows {
            var subject = row.subject?.description ?? ""
            if row.erasedAt != nil {
                guard let at = latest.removeValue(forKey: key(row)) else { continue }
                subject = "\(erasure)\(at)"
            }
            text += line([row.course, row.student, subject, row.name ?? ""])
        }
        return text
    }

    /// Beginning of what is in the place of a badge or phone whose data was erased. The time follows, in seconds since
    /// 1970.
    private static let erasure = "erased:"

    private static func erasedAt(_ text: String) -> Int64? {
        text.hasPrefix(erasure) ? Int64(text.dropFirst(erasure.count)) : nil
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(CSVLine.quoted).joined(separator: ",") + "\n"
    }

    private mutating func report(_ location: String, _ found: String, _ allowed: String) {
        guard problems.count < Self.mostListed else {
            others += 1
            return
        }
        problems.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
    }

    private mutating func read(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest else {
            return report("file", "has \(bytes.count) bytes", "must have at most \(Self.longest)")
        }
        let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        if bytes.contains(0) { return report("file", "is UTF-16 or binary", Self.encodingForm) }
        guard let text = String(validating: content, as: UTF8.self) else {
            let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
            return report(
                "line \(line + 1)", "is not UTF-8 text, but Latin-1 or another encoding", Self.encodingForm)
        }
        let table = CSVText(text)
        for defect in table.defects { report("line \(defect.line)", defect.found, defect.allowed) }
        let records = table.records.filter { !$0.isEmpty }
        guard let header = records.first, readHeader(header) else {
            if problems.isEmpty { report("line 1", "has no columns", Self.columnForm) }
            return
        }
        for record in records.dropFirst() { read(record) }
    }

    private static let encodingForm =
        "must be CSV in UTF-8: in Excel save it as \"CSV UTF-8\", in LibreOffice as \"Text CSV\" with the character "
        + "set Unicode (UTF-8)"
    private static let columnForm = "the first line must be course,student,subject or course,student,subject,name"

    private mutating func readHeader(_ header: CSVText.Record) -> Bool {
        for (index, cell) in header.cells.enumerated() {
            let column = cell.lowercased()
            if !["course", "student", "subject", "name"].contains(column) {
                report("line \(header.line)", "unknown column \(cell.excerpt)", Self.columnForm)
            } else if columns.updateValue(index, forKey: column) != nil {
                report("line \(header.line)", "duplicate column \(column)", Self.columnForm)
            }
        }
        for column in ["course", "student", "subject"] where columns[column] == nil {
            report("line \(header.line)", "the column \(column) is missing", Self.columnForm)
        }
        return problems.isEmpty
    }

    private mutating func read(_ record: CSVText.Record) {
        if record.cells.count > columns.count {
            return report(
                "line \(record.line)", "has \(record.cells.count) cells",
                "must have \(columns.count): quote cells that contain a comma")
        }
        func cell(_ column: String) -> String {
            columns[column].flatMap { $0 < record.cells.count ? record.cells[$0] : nil } ?? ""
        }
        guard let course = name(cell("course"), "course", record.line),
            let student = name(cell("student"), "student", record.line)
        else { return }
        let given = cell("name").isEmpty ? nil : name(cell("name"), "name", record.line)
        if let given {
            let other = names[student] ?? (given, record.line)
            names[student] = other
            if other.name != given {
                report(
                    "line \(record.line), column name", "found \(given.excerpt)",
                    "must be \(other.name.excerpt) as on line \(other.line), or another student")
            }
        }
        note([NameKey.of(course), student, cell("subject").lowercased()], record.line)
        let erasedAt = Self.erasedAt(cell("subject"))
        let subject = erasedAt == nil ? readSubject(cell("subject"), of: student, record.line) : nil
        accepted.append(
            RosterRow(
                line: record.line, course: course, student: student, subject: subject, name: given, erasedAt: erasedAt))
    }

    private mutating func note(_ row: [String], _ line: Int) {
        if let other = rows[row] {
            report("line \(line)", "repeats line \(other)", "each row must be unique")
        } else {
            rows[row] = line
        }
    }

    /// Reads the subject of a row; it can be empty, because a student may not have a device yet.
    private mutating func readSubject(_ text: String, of student: String, _ line: Int) -> SubjectIdentity? {
        if text.isEmpty { return nil }
        guard let subject = SubjectIdentity(text) else {
            report("line \(line), column subject", "found \(text.excerpt)", SubjectIdentity.allowed(insteadOf: text))
            return nil
        }
        guard [SubjectIdentity.badge, SubjectIdentity.phone].contains(subject.kind) else {
            report("line \(line), column subject", "found \(text.excerpt)", "must begin with badge: or phone:")
            return nil
        }
        if fixedBeacons.contains(subject) {
            report(
                "line \(line), column subject", "found \(text.excerpt), a fixed beacon",
                "must be a badge or phone that the student carries")
        }
        if let owner = owners[subject], owner.student != student {
            report(
                "line \(line), column subject",
                "\(subject) belongs to \(student.excerpt) here and to \(owner.student.excerpt) on line \(owner.line)",
                "must belong to one student")
            return nil
        }
        owners[subject] = owners[subject] ?? (student, line)
        return subject
    }

    private mutating func name(_ text: String, _ column: String, _ line: Int) -> String? {
        guard (1...Self.longestName).contains(text.unicodeScalars.count), text.shown(upTo: Self.longestName) == text
        else {
            report(
                "line \(line), column \(column)", text.isEmpty ? "is empty" : "found \(text.excerpt)",
                "must be 1 to \(Self.longestName) characters on one line")
            return nil
        }
        return text
    }
}
