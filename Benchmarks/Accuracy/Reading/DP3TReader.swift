/// Scenarios with up to twenty people: `dp3t-bt-measurements/exp*/scenario*.sqlite` (EPFL, ETH Zurich).
struct DP3TReader {
    private static let mostRows = 3_000_000
    private static let mostPeople = 40
    /// A clock of Unix seconds shows less than that, one of milliseconds more.
    private static let millisecondsFrom = 1e11
    /// Seconds; a scenario takes half an hour. Rows of a wrong clock would make millions of windows.
    private static let longest = 3 * 3600.0

    static func read(_ directory: String, _ log: inout ReadingLog) -> [ContactRecording] {
        let folder = "\(directory)/dp3t-bt-measurements"
        var recordings: [ContactRecording] = []
        for experiment in DataDirectory.names(in: folder, prefix: "exp") {
            let set = "dp3t_" + experiment.prefix { $0 != "-" }
            let path = "\(folder)/\(experiment)"
            for file in DataDirectory.names(in: path, prefix: "scenario", suffix: ".sqlite") {
                do throws(SQLiteDatabase.Failure) {
                    let scenario = String(file.dropLast(".sqlite".count))
                    if let recording = try read("\(path)/\(file)", String(set), scenario, &log) {
                        recordings.append(recording)
                    }
                } catch {
                    log.skip("\(path)/\(file)", error.message)
                }
            }
        }
        return recordings
    }

    private static func read(
        _ path: String, _ set: String, _ scenario: String, _ log: inout ReadingLog
    ) throws(SQLiteDatabase.Failure) -> ContactRecording? {
        var rows = 0
        var malformed = 0
        var indices: [String: Int] = [:]
        var packets: [ContactPacket] = []
        func person(_ name: String) -> Int? {
            if let index = indices[name] { return index }
            guard indices.count < mostPeople else { return nil }
            indices[name] = indices.count
            return indices.count - 1
        }
        let query = """
            SELECT receiver_id, transmitter_id, timestamp, rssi, tx_power, ground_truth_distance FROM results
            """
        try SQLiteDatabase(path).rows(query) { row in
            rows += 1
            guard let receiver = row.text(0).flatMap(person), let transmitter = row.text(1).flatMap(person),
                receiver != transmitter, let stamp = row.number(2), let rssi = row.number(3)
            else {
                malformed += 1
                return rows < mostRows
            }
            let metres = row.number(5).flatMap { (0...1000).contains($0) ? $0 : nil }
            packets.append(
                ContactPacket(
                    time: stamp > millisecondsFrom ? stamp / 1000 : stamp, rssi: rssi, receiver: receiver,
                    transmitter: transmitter, power: row.number(4), metres: metres))
            return rows < mostRows
        }
        packets.sort { $0.time < $1.time }
        guard let first = packets.first, let last = packets.last, last.time - first.time <= longest else {
            log.skip(path, packets.isEmpty ? "it has no packets" : "it lasts longer than \(Int(longest)) s")
            return nil
        }
        let (kept, dropped) = cleaned(packets, since: first.time, people: indices.count)
        log.read(path, rows: rows, malformed: malformed, dropped: dropped)
        let people = indices.sorted { $0.value < $1.value }.map(\.key)
        return ContactRecording(dataSet: set, scenario: scenario, people: people, packets: kept)
    }

    private static func cleaned(
        _ packets: [ContactPacket], since start: Double, people: Int
    ) -> (kept: [ContactPacket], dropped: Int) {
        var cleaners = [RSSICleaner](repeating: RSSICleaner(), count: people * people)
        var kept: [ContactPacket] = []
        for packet in packets {
            let link = packet.receiver * people + packet.transmitter
            guard cleaners[link].accepts(Packet(time: packet.time, rssi: packet.rssi)) else { continue }
            kept.append(packet)
            kept[kept.count - 1].time -= start
        }
        return (kept, packets.count - kept.count)
    }

    /// A stream for each receiver of each transmitter.
    static func streams(_ recording: ContactRecording) -> [PresenceStream] {
        Dictionary(grouping: recording.packets) { $0.receiver * mostPeople + $0.transmitter }
            .sorted { $0.key < $1.key }.filter { $0.value.count > 1 }.map { _, packets in
                let receiver = recording.people[packets[0].receiver]
                let transmitter = recording.people[packets[0].transmitter]
                return PresenceStream(
                    dataSet: recording.dataSet, receiver: "\(recording.scenario) \(receiver)",
                    recording: "\(recording.scenario) \(receiver) hears \(transmitter)", times: packets.map(\.time))
            }
    }
}
