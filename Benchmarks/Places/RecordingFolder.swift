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
        guard let plan = try RecordingPlan(folder) else { return nil }
        let receivers = try readReceivers(folder, plan.floors)
        try plan.check(receivers)
        let indexes = Dictionary(receivers.indices.map { (receivers[$0].path, $0) }) { first, _ in first }
        var recording = Recording(name: name, plans: plan.floors, receivers: receivers, readings: [], truth: [])
        let readings = try RecordingTable(
            folder, "readings.csv", needed: ["time", "subject", "receiver", "rssi"])
        for row in readings.rows {
            recording.readings.append(
                Recording.Reading(
                    time: try readings.time(row), subject: try readings.neededText(row, "subject"),
                    receiver: try readings.receiver(row, indexes), rssi: try readings.level(row)))
        }
        recording.readings.sort { $0.time < $1.time }
        let unknownRooms = try readTruth(folder, &recording)
        try readSurvey(folder, indexes, &recording)
        recording.notes = RecordingNotes.all(recording, unknownRooms: unknownRooms)
        return recording
    }

    private static func readReceivers(_ folder: String, _ plans: [FloorPlan]) throws(Mistake) -> [ReceiverSite] {
        let table = try RecordingTable(folder, "receivers.csv", needed: ["name", "x", "y"])
        var receivers: [ReceiverSite] = []
        var lines: [String: Int] = [:]
        for row in table.rows {
            let name = try table.neededText(row, "name")
            if let first = lines.updateValue(table.line(row), forKey: name) {
                throw table.mistake(row, "name", allowed: "unique, but is also in row \(first)")
            }
            let height = try table.number(row, "z", in: RecordingLimits.heights, unit: "metres")
            receivers.append(
                ReceiverSite(
                    path: name, floor: try table.neededFloor(row, plans), position: try table.position(row),
                    height: height ?? 2))
        }
        return receivers
    }

    /// Reads the true positions, and returns the names of rooms that the plan does not have.
    private static func readTruth(_ folder: String, _ recording: inout Recording) throws(Mistake) -> Set<String> {
        let truth = try RecordingTable(folder, "truth.csv", needed: ["time", "subject"])
        guard truth.has("room") || (truth.has("x") && truth.has("y")) else {
            throw Mistake(text: "\(truth.path): has no column room and no columns x and y; one or both must be there")
        }
        var unknown: Set<String> = []
        for row in truth.rows {
            let position = try truth.optionalPosition(row)
            let name = truth.text(row, "room")
            let floor = try trueFloor(truth, row, isPlaced: position != nil, recording.plans)
            let room = name.flatMap { name in recording.plans[floor].rooms.firstIndex { $0.name == name } }
            if let name, room == nil { unknown.insert(name) }
            recording.truth.append(
                Recording.TruePosition(
                    time: try truth.time(row), subject: try truth.neededText(row, "subject"), floor: floor,
                    position: position, room: room, isRoomKnown: name != nil))
        }
        recording.truth.sort { $0.time < $1.time }
        return unknown
    }

    /// Returns the floor of a true position: the one that is named, or else that of the room.
    ///
    /// - Parameter isPlaced: whether the row has coordinates.
    private static func trueFloor(
        _ truth: RecordingTable, _ row: Int, isPlaced: Bool, _ plans: [FloorPlan]
    ) throws(Mistake) -> Int {
        let name = truth.text(row, "room")
        let possible = plans.indices.filter { floor in plans[floor].rooms.contains { $0.name == name } }
        if let floor = try truth.floor(row, plans) {
            if let other = possible.first, !possible.contains(floor) {
                throw truth.mistake(
                    row, "floor", allowed: "\(plans[other].floor.excerpt), on which room \((name ?? "").excerpt) is")
            }
            return floor
        }
        if possible.count == 1 { return possible[0] }
        // A row that says neither a position nor a room is not judged.
        if name == nil, !isPlaced { return 0 }
        return try truth.neededFloor(row, plans)
    }

    private static func readSurvey(
        _ folder: String, _ indexes: [String: Int], _ recording: inout Recording
    ) throws(Mistake) {
        guard TextFile.read(folder + "/survey.csv") != nil else { return }
        let survey = try RecordingTable(
            folder, "survey.csv", needed: ["time", "badge", "receiver", "rssi", "x", "y"])
        for row in survey.rows {
            recording.survey.append(
                SurveyReading(
                    badge: try survey.neededText(row, "badge"), floor: try survey.neededFloor(row, recording.plans),
                    position: try survey.position(row), receiver: try survey.receiver(row, indexes),
                    rssi: try survey.level(row), time: try survey.time(row)))
        }
    }
}
