import BeaconModel
import ModuleDialogues
import OperatorText

/// A reader of modules in a table: a line with the names of the columns, then one line for each module.
struct CSVModules {
    private let text: CSVText
    private let problems: TOMLReader.Problems

    init(_ text: String, problems: TOMLReader.Problems) {
        self.text = CSVText(text)
        self.problems = problems
    }

    /// Maximum number of columns in a table of modules.
    private static let mostColumns = 100
    /// Maximum length of a cell in bytes.
    private static let longestCell = 1000

    func read() -> Inventory {
        for defect in text.defects {
            report("line \(defect.line)", found: defect.found, allowed: defect.allowed)
        }
        guard text.defects.isEmpty else { return Inventory() }
        let rows = text.records.filter { !$0.isEmpty }
        guard let header = rows.first else {
            report("file", found: "is empty", allowed: "must begin with the column names: \(Self.knownColumns)")
            return Inventory()
        }
        guard let columns = readHeader(header) else { return Inventory() }
        let named = Set(header.cells.indices.filter { !header.cells[$0].isEmpty })
        if rows.count == 1 {
            report("file", found: "has no module", allowed: "must have a line for each module below the column names")
        }
        if rows.count - 1 > Inventory.mostEntries {
            report(
                "file", found: "has \(rows.count - 1) modules", allowed: "must have at most \(Inventory.mostEntries)")
        }
        var modules = ModuleReader()
        let entries = rows.dropFirst().prefix(Inventory.mostEntries).compactMap { row in
            modules.read(fields(of: row, columns, named: named))
        }
        return Inventory(entries: entries)
    }

    private static var knownColumns: String { ModuleReader.columns.joined(separator: ", ") }

    /// Returns the positions of the known columns; `nil` if the line is not a header at all.
    private func readHeader(_ header: CSVText.Record) -> [String: Int]? {
        let place = place(header)
        guard header.cells.count <= Self.mostColumns else {
            report(
                place, found: "has \(header.cells.count) columns",
                allowed: "must have the column names: \(Self.knownColumns)")
            return nil
        }
        let names = header.cells.map(Self.columnName)
        guard names.contains(where: { ModuleReader.columns.contains($0) }) else {
            report(
                place, found: "has no known column name",
                allowed: "must be \(Self.knownColumns), separated by commas or semicolons")
            return nil
        }
        var columns: [String: Int] = [:]
        for (index, name) in names.enumerated() where !name.isEmpty {
            if !ModuleReader.columns.contains(name) {
                report(
                    place + ", column \(header.cells[index].excerpt)", found: "is unknown",
                    allowed: "the columns are " + Self.knownColumns)
            } else if columns[name] != nil {
                report(place + ", column \(name)", found: "is duplicated", allowed: "must occur once")
            } else {
                columns[name] = index
            }
        }
        for name in ModuleReader.required where columns[name] == nil {
            report(place + ", column \(name)", found: "is missing", allowed: "must be \(ModuleReader.form(of: name))")
        }
        return columns
    }

    /// Returns the name of a column, regardless of case and of whether a space, an underscore or a hyphen separates
    /// words.
    private static func columnName(_ cell: String) -> String {
        cell.lowercased().split { $0 == " " || $0 == "_" || $0 == "-" }.joined(separator: "-")
    }

    /// - Parameter named: positions of the columns that have a name, known or not.
    private func fields(of row: CSVText.Record, _ columns: [String: Int], named: Set<Int>) -> CSVFields {
        var cells: [String: String] = [:]
        for (name, index) in columns where index < row.cells.count { cells[name] = row.cells[index] }
        var place = place(row)
        if let name = cells["name"], !name.isEmpty { place += " (\(name.excerpt.dropFirst().dropLast()))" }
        var tooLong: Set<String> = []
        for name in ModuleReader.columns {
            guard let cell = cells[name], cell.utf8.count > Self.longestCell else { continue }
            cells[name] = ""
            tooLong.insert(name)
            report(
                place + ", column \(name)", found: "has \(cell.utf8.count) bytes",
                allowed: "must have at most \(Self.longestCell)")
        }
        if let stray = row.cells.indices.first(where: { !named.contains($0) && !row.cells[$0].isEmpty }) {
            report(
                place + ", cell \(stray + 1)", found: "found \(row.cells[stray].excerpt)",
                allowed: "must be empty, because its column has no name")
        }
        return CSVFields(
            place: place, cells: cells, columns: Set(columns.keys).subtracting(tooLong),
            decimalComma: text.separator == UInt8(ascii: ";"),
            problems: problems)
    }

    private func place(_ row: CSVText.Record) -> String { (text.hasLineBreaks ? "line " : "row ") + "\(row.line)" }

    private func report(_ location: String, found: String, allowed: String) {
        problems.all.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
    }
}
