import BeaconModel
package import ModuleDialogues
import OperatorText

extension Inventory {
    /// Maximum size of an inventory file in bytes.
    package static let longestFile = 1024 * 1024

    /// Reads an inventory: the `[[modules]]` tables of a `.toml` file, or the lines of a `.csv` file.
    ///
    /// - Parameter path: the path that problems are reported under. Its ending determines the format.
    /// - Throws: `InventoryError` with all problems of the file.
    package static func parse(_ text: String, path: String) throws(InventoryError) -> Inventory {
        try parse(Array(text.utf8), path: path)
    }

    /// Reads the bytes of an inventory file, which can begin with the byte order mark that spreadsheets write.
    package static func parse(_ bytes: [UInt8], path: String) throws(InventoryError) -> Inventory {
        let problems = TOMLReader.Problems()
        let inventory = read(bytes, path: path, problems: problems)
        guard problems.all.isEmpty else { throw InventoryError(path: path, problems: problems.all) }
        return inventory
    }

    private static func read(_ bytes: [UInt8], path: String, problems: TOMLReader.Problems) -> Inventory {
        func refuse(_ location: String, _ found: String, _ allowed: String) -> Inventory {
            problems.all.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
            return Inventory()
        }
        let name = path.lowercased()
        let isTable = name.hasSuffix(".csv")
        guard isTable || name.hasSuffix(".toml") else {
            return refuse("file", "has an unknown file extension", "the name must end in .toml or .csv")
        }
        guard bytes.count <= longestFile else {
            return refuse("file", "has \(bytes.count) bytes", "must have at most \(longestFile)")
        }
        let remedy = isTable ? "in the spreadsheet, save it as \"CSV UTF-8\"" : "save it as UTF-8 text"
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]), !bytes.contains(0) else {
            return refuse("file", "is UTF-16, or not text", remedy)
        }
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard let text = String(validating: body, as: UTF8.self) else {
            let line = lineOfDamage(body)
            return refuse("line \(line)", "has a character that is not UTF-8, perhaps Windows-1252", remedy)
        }
        return isTable ? CSVModules(text, problems: problems).read() : readTOML(text, problems: problems)
    }

    private static func readTOML(_ text: String, problems: TOMLReader.Problems) -> Inventory {
        guard let root = TOMLReader(text, problems: problems) else { return Inventory() }
        if !root.has("modules") { root.missing("modules", allowed: "a list of tables: [[modules]]") }
        let inventory = root.modules()
        root.finish()
        if inventory.entries.isEmpty, problems.all.isEmpty {
            root.report("modules", found: "is empty", allowed: "must have a table for each module")
        }
        return inventory
    }

    /// Returns the number of the first line that is not UTF-8, counted from 1.
    private static func lineOfDamage(_ bytes: ArraySlice<UInt8>) -> Int {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
    }
}
