import GatewayCore
import OperatorText

/// CSV reader for schedules: a header line with the column names, then one line per phase.
///
/// Values that apply to the whole test (receiver, start, limits) and the identities of a device need to be given on
/// only one of the lines.
struct CSVSchedule {
    static let columns = [
        "device", "beacon", "address", "identifier", "identities", "state", "in-range", "out-of-range", "receiver",
        "receiver-state", "start", "required-window", "discovery-limit",
    ]
    private static let required = ["device", "state", "in-range"]
    /// Maximum length of a cell, in bytes.
    private static let longestCell = 64 * 1024

    private let text: CSVText
    private let problems: TOMLReader.Problems

    init(_ text: String, problems: TOMLReader.Problems) {
        self.text = CSVText(text)
        self.problems = problems
    }

    func read() -> ScheduleDraft? {
        for defect in text.defects { report("line \(defect.line)", defect.found, defect.allowed) }
        let rows = text.records.filter { !$0.isEmpty }
        guard text.defects.isEmpty, let header = rows.first else {
            if text.defects.isEmpty { report("file", "is empty", "must begin with the column names: \(names)") }
            return nil
        }
        guard let columns = readHeader(header) else { return nil }
        guard rows.count > 1 else {
            report("file", "has no phase", "must have a line for each phase below the column names")
            return nil
        }
        if rows.count - 1 > EvaluationSchedule.mostPhases {
            report("file", "has \(rows.count - 1) phases", "must have at most \(EvaluationSchedule.mostPhases)")
            return nil
        }
        return draft(rows.dropFirst().map { fields(of: $0, columns) }, header: header)
    }

    private var names: String { Self.columns.joined(separator: ", ") }

    private func draft(_ rows: [CSVFields], header: CSVText.Record) -> ScheduleDraft {
        let problems = problems
        let place = "line \(header.line)"
        var draft = ScheduleDraft { key, found, allowed in
            problems.all.append(
                ConfigurationProblem(location: "\(place), column \(key)", found: found, allowed: allowed))
        }
        readSettings(rows, into: &draft)
        var indices: [String: Int] = [:]
        for row in rows {
            if !row.has("device") { row.missing("device", allowed: "the device's name") }
            let name = row.label("device")
            let identities = row.identities()
            let phase = row.phase()
            guard let name else { continue }
            let index = indices[name] ?? draft.devices.count
            if indices[name] == nil {
                indices[name] = index
                guard index < EvaluationSchedule.mostDevices else {
                    row.report(
                        "device", found: "is one of more than \(EvaluationSchedule.mostDevices) devices",
                        allowed: "must have at most \(EvaluationSchedule.mostDevices)")
                    return draft
                }
                draft.devices.append(.init(name: name, report: row.reporter))
            }
            let known = Set(draft.devices[index].identities)
            draft.devices[index].identities += identities.filter { !known.contains($0) }
            if let phase { draft.devices[index].phases.append(phase) }
        }
        // The faulty line has been reported already; do not also report that its device has no other.
        if !problems.all.isEmpty { draft.devices.removeAll { $0.phases.isEmpty || $0.identities.isEmpty } }
        return draft
    }

    private func readSettings(_ rows: [CSVFields], into draft: inout ScheduleDraft) {
        draft.receiver = setting("receiver", rows) { $0.label("receiver") }
        draft.receiverState = setting("receiver-state", rows) { $0.label("receiver-state") }
        draft.start = setting("start", rows) { $0.time("start") }
        draft.requiredWindow = setting("required-window", rows) { $0.limit("required-window") }
        draft.discoveryLimit = setting("discovery-limit", rows) { $0.limit("discovery-limit") }
    }

    /// Returns the value of a setting that applies to the whole test. All lines that give it must agree.
    private func setting<Value: Equatable>(
        _ key: String, _ rows: [CSVFields], _ read: (CSVFields) -> Value?
    ) -> Value? {
        var value: Value?
        for row in rows where row.has(key) {
            guard let found = read(row) else { continue }
            if let value, value != found {
                row.report(key, found: "differs from a line above", allowed: "must be given once, or be the same")
            }
            value = value ?? found
        }
        return value
    }

    /// Returns the column indices by name, or `nil` when a column is unknown, repeated or missing.
    private func readHeader(_ header: CSVText.Record) -> [String: Int]? {
        let place = "line \(header.line)"
        let before = problems.all.count
        var columns: [String: Int] = [:]
        for (index, cell) in header.cells.prefix(100).enumerated() where !cell.isEmpty {
            let name = cell.lowercased().split { " _-".contains($0) }.joined(separator: "-")
            if !Self.columns.contains(name) {
                report("\(place), column \(cell.excerpt)", "is unknown", "the columns are \(names)")
            } else if columns[name] != nil {
                report("\(place), column \(name)", "is duplicated", "must occur once")
            } else {
                columns[name] = index
            }
        }
        for name in Self.required where columns[name] == nil {
            report("\(place), column \(name)", "is missing", "must be present; the columns are \(names)")
        }
        return problems.all.count == before ? columns : nil
    }

    private func fields(of row: CSVText.Record, _ columns: [String: Int]) -> CSVFields {
        var cells: [String: String] = [:]
        for (name, index) in columns where index < row.cells.count { cells[name] = row.cells[index] }
        var place = "line \(row.line)"
        if let device = cells["device"], !device.isEmpty { place += " (\(device.excerpt.dropFirst().dropLast()))" }
        for name in Self.columns where (cells[name]?.utf8.count ?? 0) > Self.longestCell {
            report("\(place), column \(name)", "is longer than \(Self.longestCell) bytes", "must be shorter")
            cells[name] = ""
        }
        let named = Set(columns.values)
        if let stray = row.cells.indices.first(where: { !named.contains($0) && !row.cells[$0].isEmpty }) {
            report(
                "\(place), cell \(stray + 1)", "found \(row.cells[stray].excerpt)",
                "must be empty, because its column has no name")
        }
        return CSVFields(
            place: place, cells: cells, columns: Set(columns.keys), decimalComma: false, problems: problems)
    }

    private func report(_ location: String, _ found: String, _ allowed: String) {
        problems.all.append(ConfigurationProblem(location: location, found: found, allowed: allowed))
    }
}
