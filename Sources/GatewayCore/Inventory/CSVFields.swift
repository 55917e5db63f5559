package import BeaconModel
package import OperatorText

/// One row of a table of modules.
package struct CSVFields: ModuleFields {
    /// Place of the row in messages: `row 7 (door)`.
    package var place: String
    /// Cells of the row, by column name.
    package var cells: [String: String]
    /// Columns that the table has.
    package var columns: Set<String>
    /// Whether 2,5 is a number, as in files where a semicolon separates the cells.
    package var decimalComma: Bool
    package var problems: TOMLReader.Problems

    package init(
        place: String, cells: [String: String], columns: Set<String>, decimalComma: Bool, problems: TOMLReader.Problems
    ) {
        self.place = place
        self.cells = cells
        self.columns = columns
        self.decimalComma = decimalComma
        self.problems = problems
    }

    package func has(_ key: String) -> Bool { string(key) != nil }

    /// Returns the text of a cell; `nil` for an empty one.
    package func string(_ key: String) -> String? { cells[key].flatMap { $0.isEmpty ? nil : $0 } }

    package func integer(_ key: String, allowed: String, where isAllowed: (Int) -> Bool) -> Int? {
        guard let text = string(key) else { return nil }
        guard let integer = Int(text) else {
            report(key, found: "found \(text.excerpt)", allowed: "must be a whole number " + allowed)
            return nil
        }
        guard isAllowed(integer) else {
            report(key, found: "found \(integer)", allowed: "must be \(allowed)")
            return nil
        }
        return integer
    }

    package func position() -> Place.Position? {
        let form = "metres from the origin of the floor's plan: 12.5" + (decimalComma ? " or 12,5" : "")
        let x = parsed("x", allowed: form, number)
        let y = parsed("y", allowed: form, number)
        let z = parsed("z", allowed: form, number)
        guard ["x", "y", "z"].contains(where: { has($0) }) else { return nil }
        for key in ["x", "y"] where !has(key) { report(key, found: "is empty", allowed: "must be \(form)") }
        return Place.Position(x: x ?? 0, y: y ?? 0, z: z ?? 0)
    }

    /// Parses digits with a sign and a fraction. Exponents are refused: a spreadsheet does not write them for metres.
    private func number(_ text: String) -> Double? {
        var text = text
        if decimalComma, !text.contains(".") { text = text.replacing(",", with: ".") }
        guard text.utf8.count <= 30, text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }) else { return nil }
        return Double(text)
    }

    package func truth(_ key: String) -> Bool? {
        parsed(key, allowed: "yes or no, or empty") { text in
            switch text.lowercased() {
            case "yes", "true", "1", "x": true
            case "no", "false", "0": false
            default: nil
            }
        }
    }

    package func report(_ key: String, found: String, allowed: String) {
        problems.all.append(
            ConfigurationProblem(location: "\(place), column \(key)", found: found, allowed: allowed))
    }

    /// Reports an empty cell. A missing column is not reported here, because it is reported with the header.
    package func missing(_ key: String, allowed: String) {
        guard columns.contains(key) else { return }
        report(key, found: "is empty", allowed: "must be \(allowed)")
    }
}
