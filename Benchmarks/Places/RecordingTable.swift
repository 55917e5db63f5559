import BeaconModel
import FloorPlans
import OperatorText

/// A table of a recording, whose cells are checked when they are read.
struct RecordingTable {
    typealias Mistake = RecordingFolder.Mistake

    private let table: CSVTable

    /// Reads a table of a folder.
    ///
    /// - Parameter needed: columns that must be there.
    init(_ folder: String, _ file: String, needed: [String]) throws(Mistake) {
        guard let table = CSVTable(path: "\(folder)/\(file)") else {
            throw Mistake(
                text: "\(folder)/\(file): cannot be read or is empty; "
                    + "a recording has plan.toml, receivers.csv, readings.csv and truth.csv")
        }
        if let line = table.openQuotes.first {
            throw Mistake(
                text: "\(table.path), row \(line): a quote is not closed; quoted cells must end in their line")
        }
        if let missing = needed.first(where: { !table.has($0) }) {
            throw Mistake(text: "\(table.path): has no column \(missing); needed are \(needed.joined(separator: ", "))")
        }
        if let row = table.rows.indices.first(where: { table.isTooLong($0) }) {
            throw Mistake(
                text: "\(table.path), row \(table.line(row)): has \(table.rows[row].count) cells, and the first row "
                    + "\(table.width); a cell with a separator inside must be in quotes")
        }
        self.table = table
    }

    var path: String { table.path }
    var rows: Range<Int> { table.rows.indices }

    func has(_ column: String) -> Bool { table.has(column) }

    /// Returns the line of a row in the file, from 1.
    func line(_ row: Int) -> Int { table.line(row) }

    /// Returns what is wrong with a cell.
    func mistake(_ row: Int, _ column: String, allowed: String) -> Mistake {
        let found = table.text(row, column).map { "is \($0.excerpt)" } ?? "is empty"
        return Mistake(text: "\(path), row \(line(row)): \(column) \(found), and must be \(allowed)")
    }

    func text(_ row: Int, _ column: String) -> String? { table.text(row, column) }

    func neededText(_ row: Int, _ column: String) throws(Mistake) -> String {
        guard let text = table.text(row, column) else { throw mistake(row, column, allowed: "given") }
        return text
    }

    /// Returns a number; `nil` if the cell is empty.
    func number(
        _ row: Int, _ column: String, in range: ClosedRange<Double>, unit: String
    ) throws(Mistake) -> Double? {
        guard table.text(row, column) != nil else { return nil }
        return try neededNumber(row, column, in: range, unit: unit)
    }

    func neededNumber(
        _ row: Int, _ column: String, in range: ClosedRange<Double>, unit: String
    ) throws(Mistake) -> Double {
        guard let number = table.number(row, column), range.contains(number) else {
            let (least, greatest) = (Format.fixed(range.lowerBound, 0), Format.fixed(range.upperBound, 0))
            throw mistake(row, column, allowed: "a number of \(unit) from \(least) to \(greatest)")
        }
        return number
    }

    func level(_ row: Int) throws(Mistake) -> Double {
        try neededNumber(row, "rssi", in: RecordingLimits.levels, unit: "dBm")
    }

    func position(_ row: Int) throws(Mistake) -> PlanPoint {
        let x = try neededNumber(row, "x", in: RecordingLimits.coordinates, unit: "metres")
        let y = try neededNumber(row, "y", in: RecordingLimits.coordinates, unit: "metres")
        return PlanPoint(x: x, y: y)
    }

    /// Returns a position; `nil` if both coordinates are empty.
    func optionalPosition(_ row: Int) throws(Mistake) -> PlanPoint? {
        guard table.text(row, "x") != nil || table.text(row, "y") != nil else { return nil }
        if let empty = ["x", "y"].first(where: { table.text(row, $0) == nil }) {
            throw mistake(row, empty, allowed: "given, because the other coordinate is")
        }
        return try position(row)
    }

    /// Returns a time in seconds; RFC 3339 is taken too.
    func time(_ row: Int) throws(Mistake) -> Double {
        if let text = table.text(row, "time") {
            let parsed = text.contains("T") ? RFC3339Text.parse(text) : nil
            let time = parsed.map { Double($0.microseconds) / 1e6 } ?? table.number(row, "time")
            if let time, RecordingLimits.times.contains(time) { return time }
        }
        throw mistake(
            row, "time", allowed: "seconds from -1e11 to 1e11, or a time such as 2026-11-02T08:00:00Z (RFC 3339)")
    }

    /// Returns the index of a receiver.
    func receiver(_ row: Int, _ indexes: [String: Int]) throws(Mistake) -> Int {
        guard let name = table.text(row, "receiver"), let index = indexes[name] else {
            throw mistake(row, "receiver", allowed: "a name of receivers.csv")
        }
        return index
    }

    /// Returns the index of the floor that a row names; `nil` if it names none.
    func floor(_ row: Int, _ plans: [FloorPlan]) throws(Mistake) -> Int? {
        guard let name = table.text(row, "floor") else { return nil }
        guard let index = plans.firstIndex(where: { $0.floor == name || $0.path == name }) else {
            throw mistake(row, "floor", allowed: Self.floors(plans))
        }
        return index
    }

    /// Returns the index of a row's floor, which can be left out if there is only one.
    func neededFloor(_ row: Int, _ plans: [FloorPlan]) throws(Mistake) -> Int {
        if let floor = try floor(row, plans) { return floor }
        guard plans.count == 1 else { throw mistake(row, "floor", allowed: Self.floors(plans)) }
        return 0
    }

    /// What can be in the column `floor`.
    private static func floors(_ plans: [FloorPlan]) -> String {
        "a floor of plan.toml: " + plans.prefix(10).map(\.floor.excerpt).joined(separator: ", ")
            + (plans.count > 10 ? " and \(plans.count - 10) more" : "")
    }
}
