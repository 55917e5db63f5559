package import Matching
import OperatorText

/// Reader for files of people: CSV with the columns `number`, `name`, `contact` and `subject` in any order.
///
/// A person may have several rows, of which one must have the name; a cell may have several subjects, separated by
/// spaces or semicolons, and several contacts, separated by semicolons. `contact` and `subject` may be missing. Another
/// column is a problem: it may be one of these with a mistake in its name, and what is not needed is better not kept.
package struct PeopleFile {
    /// Contents of the rows of one person.
    private struct Draft {
        var line: Int
        var name: (text: String, line: Int)?
        var contact: [String] = []
        var subjects: [SubjectIdentity] = []
    }

    private var drafts: [String: Draft] = [:]
    private var owners: [SubjectIdentity: (number: String, line: Int)] = [:]
    private var columns: [String: Int] = [:]
    private var problems: [ConfigurationProblem] = []
    private var others = 0
    private let fixedBeacons: Set<SubjectIdentity>

    /// Maximum size in bytes.
    package static let longest = 16 * 1024 * 1024
    package static let mostRows = 200_000
    static let columnNames = ["number", "name", "contact", "subject"]

    private init(fixedBeacons: Set<SubjectIdentity>) { self.fixedBeacons = fixedBeacons }

    /// Parses a file of people.
    ///
    /// - Parameters:
    ///   - file: the file that problems refer to.
    ///   - fixedBeacons: installed beacons, which no one carries.
    /// - Returns: people by number.
    /// - Throws: `PeopleFileError` with all problems, of which the first are listed.
    package static func parse(
        _ bytes: [UInt8], file: String, fixedBeacons: Set<SubjectIdentity> = []
    ) throws(PeopleFileError) -> [Person] {
        var reader = PeopleFile(fixedBeacons: fixedBeacons)
        reader.read(bytes)
        let people = reader.people()
        guard reader.problems.isEmpty else {
            throw PeopleFileError(path: file, problems: reader.problems, others: reader.others)
        }
        return people
    }

    private mutating func report(_ location: String, _ found: String, _ allowed: String) {
        guard problems.count < PeopleFileError.mostListed else {
            others += 1
            return
        }
        problems.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
    }

    private mutating func read(_ bytes: [UInt8]) {
        let text: String
        do throws(PeopleText.Defect) {
            text = try PeopleText.decode(bytes)
        } catch {
            return report(error.location, error.found, error.allowed)
        }
        let table = CSVText(text)
        for defect in table.defects { report("line \(defect.line)", defect.found, defect.allowed) }
        let records = table.records.filter { !$0.isEmpty }
        guard let header = records.first else { return report("line 1", "has no columns", Self.columnForm) }
        guard readHeader(header) else { return }
        if records.count == 1 {
            report("file", "has no people", "must have a row for each person")
        }
        for record in records.dropFirst() { read(record) }
    }

    private static let columnForm = "the first line must be number,name,contact,subject"

    private mutating func readHeader(_ header: CSVText.Record) -> Bool {
        var isReadable = true
        func refuse(_ found: String, _ reader: inout PeopleFile) {
            reader.report("line \(header.line)", found, Self.columnForm)
            isReadable = false
        }
        for (index, cell) in header.cells.enumerated() {
            let column = cell.lowercased()
            if !Self.columnNames.contains(column) {
                refuse("unknown column \(cell.excerpt)", &self)
            } else if columns.updateValue(index, forKey: column) != nil {
                refuse("duplicate column \(column)", &self)
            }
        }
        for column in ["number", "name"] where columns[column] == nil {
            refuse("the column \(column) is missing", &self)
        }
        return isReadable
    }

    private mutating func read(_ record: CSVText.Record) {
        let line = record.line
        if record.cells.count > columns.count {
            return report(
                "line \(line)", "has \(record.cells.count) cells",
                "must have \(columns.count): quote cells that contain a comma or semicolon")
        }
        func cell(_ column: String) -> String {
            columns[column].flatMap { $0 < record.cells.count ? record.cells[$0] : nil } ?? ""
        }
        let number = cell("number")
        guard Person.isNumber(number) else {
            return report(
                "line \(line), column number", number.isEmpty ? "is empty" : "found \(number.excerpt)",
                Person.numberForm)
        }
        var draft = drafts[number] ?? Draft(line: line)
        readName(cell("name"), line, &draft)
        readContact(cell("contact"), line, &draft)
        readSubjects(cell("subject"), of: number, line, &draft)
        drafts[number] = draft
    }

    private mutating func readName(_ name: String, _ line: Int, _ draft: inout Draft) {
        if name.isEmpty { return }
        guard Person.isName(name) else {
            // One problem is enough: the person is not without a name.
            if draft.name == nil { draft.name = (name, line) }
            return report("line \(line), column name", "found \(name.excerpt)", Person.nameForm)
        }
        guard let known = draft.name else {
            draft.name = (name, line)
            return
        }
        if known.text != name {
            report(
                "line \(line), column name", "found \(name.excerpt)",
                "must be \(known.text.excerpt) as on line \(known.line), or have another number")
        }
    }

    private mutating func readContact(_ cell: String, _ line: Int, _ draft: inout Draft) {
        for part in cell.split(separator: ";") {
            let contact = part.split { $0.isWhitespace }.joined(separator: " ")
            if contact.isEmpty || draft.contact.contains(contact) { continue }
            guard Person.isContact(contact) else {
                report("line \(line), column contact", "found \(contact.excerpt)", Person.contactForm)
                continue
            }
            guard draft.contact.count < Person.mostContacts else {
                return report(
                    "line \(line), column contact", "found another one, \(contact.excerpt)",
                    "a person can have at most \(Person.mostContacts)")
            }
            draft.contact.append(contact)
        }
    }

    /// Reads the subjects of a row; there may be none, because a person may not have a device yet.
    private mutating func readSubjects(_ cell: String, of number: String, _ line: Int, _ draft: inout Draft) {
        for part in cell.split(whereSeparator: { $0.isWhitespace || $0 == ";" }) {
            let text = String(part)
            guard let subject = readSubject(text, line), !draft.subjects.contains(subject) else { continue }
            if let owner = owners[subject] {
                report(
                    "line \(line), column subject",
                    "\(subject) belongs to \(shown(number, draft)) here and to "
                        + "\(shown(owner.number, drafts[owner.number])) on line \(owner.line)",
                    "must belong to one person")
                continue
            }
            guard draft.subjects.count < Person.mostSubjects else {
                return report(
                    "line \(line), column subject", "found another one, \(text.excerpt)",
                    "a person can have at most \(Person.mostSubjects)")
            }
            owners[subject] = (number, line)
            draft.subjects.append(subject)
        }
    }

    private mutating func readSubject(_ text: String, _ line: Int) -> SubjectIdentity? {
        let location = "line \(line), column subject"
        guard let subject = SubjectIdentity(text) else {
            report(location, "found \(text.excerpt)", SubjectIdentity.allowed(insteadOf: text))
            return nil
        }
        guard [SubjectIdentity.badge, SubjectIdentity.phone].contains(subject.kind) else {
            report(location, "found \(text.excerpt)", "must begin with badge: or phone:")
            return nil
        }
        guard !fixedBeacons.contains(subject) else {
            report(
                location, "found \(text.excerpt), a fixed beacon", "must be a badge or phone that the person carries")
            return nil
        }
        return subject
    }

    private func shown(_ number: String, _ draft: Draft?) -> String {
        (draft?.name).map { "\($0.text.excerpt) (\(number))" } ?? number.excerpt
    }

    private mutating func people() -> [Person] {
        var people: [Person] = []
        for (number, draft) in drafts.sorted(by: { $0.key < $1.key }) {
            guard let name = draft.name?.text else {
                report("line \(draft.line), column name", "is empty", Person.nameForm)
                continue
            }
            people.append(Person(number: number, name: name, contact: draft.contact, subjects: draft.subjects))
        }
        return people
    }
}
