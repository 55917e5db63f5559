import Matching
import OperatorText

extension PeopleFile {
    /// Returns the lines of a file that `parse` reads again: the columns, and one line for each person.
    ///
    /// All cells are quoted. Quotes do not keep a spreadsheet from evaluating a cell; that none begins with a sign,
    /// except telephone numbers, is checked when people are imported. An apostrophe in front would be imported again.
    package static var header: String { line(columnNames) }

    package static func line(of person: Person) -> String {
        line([
            person.number, person.name, person.contact.joined(separator: "; "),
            person.subjects.map(\.description).joined(separator: " "),
        ])
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(CSVLine.quoted).joined(separator: ",")
    }
}
