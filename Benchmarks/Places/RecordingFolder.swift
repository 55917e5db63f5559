import BeaconModel
import FloorPlans
import Localisation
import OperatorText

/// Recordings in the neutral format: a folder each, with `plan.toml`, `receivers.csv`, `readings.csv`, `truth.csv` and,
/// if there was a calibration walk, `survey.csv`. docs/accuracy.md describes it.
enum RecordingFolder {
    /// What is wrong with a folder.
    struct Mistake: Error {
        var text: String
    }

    /// Reads a folder; `nil` if it is not a recording.
    static func read(_ folder: String, name: String) throws(Mistake) -> Recording? {
        guard let plan = TextFile.read(folder + "/plan.toml") else { return nil }
        let plans: [FloorPlan]
        do {
            plans = try FloorPlanFile.parse(plan, path: folder + "/plan.toml")
        } catch {
            throw Mistake(text: "\(error)")
        }
        let receivers = try readReceivers(folder, plans)
        let indexes = Dictionary(receivers.indices.map { (receivers[$0].path, $0) }) { first, _ in first }
        var recording = Recording(name: name, plans: plans, receivers: receivers, readings: [], truth: [])
        let readings = try table(folder, "readings.csv", needed: ["time", "subject", "receiver", "rssi"])
        for row in readings.rows.indices {
            let receiver = try index(readings, row, "receiver", indexes, "a name of receivers.csv")
            recording.readings.append(
                Recording.Reading(
                    time: try time(readings, row), subject: try text(readings, row, "subject"), receiver: receiver,
                    rssi: try number(readings, row, "rssi")))
        }
        recording.readings.sort { $0.time < $1.time }
        try readTruth(folder, &recording)
        try readSurvey(folder, indexes, &recording)
        return recording
    }

    private static func readReceivers(_ folder: String, _ plans: [FloorPlan]) throws(Mistake) -> [ReceiverSite] {
        let table = try table(folder, "receivers.csv", needed: ["name", "x", "y"])
        var receivers: [ReceiverSite] = []
        for row in table.rows.indices {
            receivers.append(
                ReceiverSite(
                    path: try text(table, row, "name"), floor: try floor(table, row, plans),
                    position: PlanPoint(x: try number(table, row, "x"), y: try number(table, row, "y")),
                    height: table.number(row, "z") ?? 2))
        }
        return receivers
    }

    private static func readTruth(_ folder: String, _ recording: inout Recording) throws(Mistake) {
        let truth = try table(folder, "truth.csv", needed: ["time", "subject"])
        for row in truth.rows.indices {
            let name = truth.text(row, "room")
            var floor = try floor(truth, row, recording.plans)
            var room: Int?
            if let name {
                room = recording.plans[floor].rooms.firstIndex { $0.name == name }
                if room == nil, truth.text(row, "floor") == nil,
                    let other = recording.plans.firstIndex(where: { $0.rooms.contains { $0.name == name } })
                {
                    floor = other
                    room = recording.plans[other].rooms.firstIndex { $0.name == name }
                }
            }
            let (x, y) = (truth.number(row, "x"), truth.number(row, "y"))
            recording.truth.append(
                Recording.TruePosition(
                    time: try time(truth, row), subject: try text(truth, row, "subject"), floor: floor,
                    position: x.flatMap { x in y.map { PlanPoint(x: x, y: $0) } }, room: room,
                    isRoomKnown: name != nil))
        }
        recording.truth.sort { $0.time < $1.time }
    }

    private static func readSurvey(
        _ folder: String, _ indexes: [String: Int], _ recording: inout Recording
    ) throws(Mistake) {
        guard TextFile.read(folder + "/survey.csv") != nil else { return }
        let survey = try table(folder, "survey.csv", needed: ["time", "badge", "receiver", "rssi", "x", "y"])
        for row in survey.rows.indices {
            recording.survey.append(
                SurveyReading(
                    badge: try text(survey, row, "badge"), floor: try floor(survey, row, recording.plans),
                    position: PlanPoint(x: try number(survey, row, "x"), y: try number(survey, row, "y")),
                    receiver: try index(survey, row, "receiver", indexes, "a name of receivers.csv"),
                    rssi: try number(survey, row, "rssi"), time: try time(survey, row)))
        }
    }

    private static func table(_ folder: String, _ file: String, needed: [String]) throws(Mistake) -> CSVTable {
        guard let table = CSVTable(path: "\(folder)/\(file)") else {
            throw Mistake(
                text:
                    "\(folder)/\(file): cannot be read; a recording has plan.toml, receivers.csv, readings.csv and truth.csv"
            )
        }
        if let missing = needed.first(where: { !table.has($0) }) {
            throw Mistake(text: "\(table.path): has no column \(missing); needed are \(needed.joined(separator: ", "))")
        }
        return table
    }

    private static func floor(_ table: CSVTable, _ row: Int, _ plans: [FloorPlan]) throws(Mistake) -> Int {
        guard let name = table.text(row, "floor") else { return 0 }
        guard let index = plans.firstIndex(where: { $0.floor == name || $0.path == name }) else {
            throw Mistake(text: "\(table.path), row \(row + 2): floor \"\(name)\" is not in plan.toml")
        }
        return index
    }

    private static func text(_ table: CSVTable, _ row: Int, _ column: String) throws(Mistake) -> String {
        guard let text = table.text(row, column) else {
            throw Mistake(text: "\(table.path), row \(row + 2): \(column) is empty")
        }
        return text
    }

    private static func number(_ table: CSVTable, _ row: Int, _ column: String) throws(Mistake) -> Double {
        guard let number = table.number(row, column) else {
            let found = table.text(row, column) ?? ""
            throw Mistake(text: "\(table.path), row \(row + 2): \(column) is \"\(found)\", and must be a number")
        }
        return number
    }

    /// Returns a time in seconds; RFC 3339 is taken too.
    private static func time(_ table: CSVTable, _ row: Int) throws(Mistake) -> Double {
        if let text = table.text(row, "time"), text.contains("T"),
            let time = RFC3339Text.parse(text).map({ Double($0.microseconds) / 1e6 })
        {
            return time
        }
        return try number(table, row, "time")
    }

    private static func index(
        _ table: CSVTable, _ row: Int, _ column: String, _ indexes: [String: Int], _ allowed: String
    ) throws(Mistake) -> Int {
        let name = try text(table, row, column)
        guard let index = indexes[name] else {
            throw Mistake(text: "\(table.path), row \(row + 2): \(column) is \"\(name)\", and must be \(allowed)")
        }
        return index
    }
}
