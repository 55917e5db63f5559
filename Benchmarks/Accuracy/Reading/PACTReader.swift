/// The recordings of PACT (MIT Lincoln Laboratory): `pact-*/X.csv` with the packets and `X_runs.csv` with the runs.
struct PACTReader {
    private struct Run {
        var condition: String
        var receiver: String?
        var transmitter: String?
    }

    private struct Place: Equatable {
        var run: String
        var feet: Double
        var angle: String
    }

    private static let metresPerFoot = 0.3048
    /// Seconds of silence between two places for which the recording was stopped.
    private static let pause = 10.0

    static func read(_ directory: String, _ log: inout ReadingLog) -> [DistanceReading] {
        DataDirectory.names(in: directory, prefix: "pact-").flatMap { folder in
            DataDirectory.names(in: "\(directory)/\(folder)", suffix: "_runs.csv").compactMap { name in
                read("\(directory)/\(folder)", set: String(name.dropLast("_runs.csv".count)), &log)
            }
        }
    }

    private static func read(_ folder: String, set: String, _ log: inout ReadingLog) -> DistanceReading? {
        guard let runs = runs("\(folder)/\(set)_runs.csv") else {
            log.skip("\(folder)/\(set)_runs.csv", "can't be read, or lacks the columns run and condition")
            return nil
        }
        let groups = Groups(runs)
        var reading = DistanceReading(dataSet: set)
        var cutter = WindowCutter<Place>()
        var cleaner = RSSICleaner()
        var run: Substring?
        var last: (place: Place, time: Double)?
        var times: [Double] = []
        func finish(_ window: (place: Place, packets: [Packet])?) {
            guard let (place, packets) = window else { return }
            let run = runs[place.run]
            reading.windows.append(
                DistanceWindow(
                    dataSet: set, group: groups.name(of: place.run, run), run: place.run, link: .phone,
                    packets: packets, metres: place.feet * metresPerFoot, isWithinThreeMetres: label(run),
                    receiver: run?.receiver, transmitter: run?.transmitter))
        }
        func finishRun() {
            if let run, times.count > 1 {
                reading.streams.append(PresenceStream(dataSet: set, recording: String(run), times: times.sorted()))
            }
            times = []
        }
        let table = CSVTable("\(folder)/\(set).csv", needed: ["run", "t_s", "rssi_dbm", "range_ft"]) { row in
            guard let name = row["run"], let time = row.number("t_s"), let rssi = row.number("rssi_dbm"),
                let feet = row.number("range_ft"), feet > 0, feet < 1000
            else { return false }
            if name != run {
                finishRun()
                run = name
                cleaner.restart()
            }
            let packet = Packet(time: time, rssi: rssi)
            guard cleaner.accepts(packet) else { return true }
            let place = Place(run: String(name), feet: feet, angle: String(row["angle_deg"] ?? ""))
            if let last, last.place != place, time - last.time > pause { finishRun() }
            last = (place, time)
            times.append(time)
            finish(cutter.take(packet, at: place))
            return true
        }
        finish(cutter.finish())
        finishRun()
        guard let table else {
            log.skip("\(folder)/\(set).csv", "can't be read, or lacks the columns run, t_s, rssi_dbm and range_ft")
            return nil
        }
        log.read("\(folder)/\(set).csv", rows: table.rows, malformed: table.malformed, dropped: cleaner.dropped)
        return reading
    }

    private static func runs(_ path: String) -> [String: Run]? {
        var runs: [String: Run] = [:]
        let table = CSVTable(path, needed: ["run", "condition"]) { row in
            guard let name = row["run"], let condition = row["condition"] else { return false }
            runs[String(name)] = Run(
                condition: String(condition), receiver: row["receiver_model"].flatMap(text),
                transmitter: row["beacon_model"].flatMap(text))
            return true
        }
        return table == nil ? nil : runs
    }

    private static func text(_ field: Substring) -> String? { field.isEmpty ? nil : String(field) }

    /// The far ones are 10 ft away or more, the close ones 6 ft or less.
    private static func label(_ run: Run?) -> Bool? {
        guard let condition = run?.condition else { return nil }
        return condition.hasPrefix("Close/") ? true : condition.hasPrefix("Far/") ? false : nil
    }

    /// By the condition without what it says of the distance, as leaving that out would leave out a class; where there
    /// is one only, by the pair of models, and where that is one only, by the run.
    private struct Groups {
        private let byCondition: Bool
        private let byModels: Bool

        init(_ runs: [String: Run]) {
            byCondition = Set(runs.values.map(Self.carry)).count > 1
            byModels = Set(runs.values.map(Self.models)).count > 1
        }

        func name(of name: String, _ run: Run?) -> String {
            guard let run else { return "?" }
            return byCondition ? String(Self.carry(run)) : byModels ? Self.models(run) : name
        }

        /// The condition without a leading `Close/` or `Far/`.
        private static func carry(_ run: Run) -> Substring {
            label(run) == nil ? run.condition[...] : run.condition.drop { $0 != "/" }.dropFirst()
        }

        private static func models(_ run: Run) -> String { "\(run.receiver ?? "?") hears \(run.transmitter ?? "?")" }
    }
}
