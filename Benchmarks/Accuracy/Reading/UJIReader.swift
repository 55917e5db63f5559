import Glibc

/// Phones among fixed beacons: `uji-ble` (Mendoza-Silva et al.), per zone Z `dep/Z.csv` with the beacons and
/// `rss/Z_{rss,crd,ids,tms}.csv` with a scan in each line.
struct UJIReader {

    /// dBm by the second digit of an id.
    private static let powers: [Character: Double] = ["1": -4, "2": -12, "3": -20]
    private static let unheard = 100.0

    /// A data set for each zone and power, and where there are several phones also for each of them: they hear the
    /// same 20 dB apart.
    static func read(_ directory: String, _ log: inout ReadingLog) -> [DistanceReading] {
        let folder = "\(directory)/uji-ble"
        return DataDirectory.names(in: "\(folder)/dep", suffix: ".csv").flatMap { name in
            read(folder, zone: String(name.dropLast(".csv".count)), &log)
        }
    }

    private static func phones(_ reading: DistanceReading) -> [DistanceReading] {
        let phones = Dictionary(grouping: reading.windows) { $0.receiver ?? "" }
        guard phones.count > 1 else { return [] }
        return phones.sorted { $0.key < $1.key }.map { phone, windows in
            let dataSet = "\(reading.dataSet)_\(phone.filter { $0 != " " })"
            let windows = windows.map { window in
                var window = window
                window.dataSet = dataSet
                return window
            }
            return DistanceReading(dataSet: dataSet, windows: windows)
        }
    }

    private static func read(_ folder: String, zone: String, _ log: inout ReadingLog) -> [DistanceReading] {
        var beacons: [(name: String, x: Double, y: Double)] = []
        let places = CSVTable("\(folder)/dep/\(zone).csv", needed: ["id", "x", "y"]) { row in
            guard let name = row["id"], let x = row.number("x"), let y = row.number("y") else { return false }
            beacons.append((String(name), x, y))
            return true
        }
        let files = ["rss", "crd", "ids", "tms"].map { "\(folder)/rss/\(zone)_\($0).csv" }
        guard places != nil, var rss = LineReader(files[0]), var crd = LineReader(files[1]),
            var ids = LineReader(files[2])
        else {
            log.skip("\(folder), zone \(zone)", "dep/\(zone).csv or rss/\(zone)_{rss,crd,ids}.csv can't be read")
            return []
        }
        // Without times the scans of a point are taken for a second each.
        var times = LineReader(files[3])
        var rows = 0
        var malformed = 0
        var dropped = 0
        var readings: [String: DistanceReading] = [:]
        var open: (id: Substring, x: Double, y: Double, packets: [[Packet]])?
        func finish() {
            guard let (id, x, y, heard) = open else { return }
            open = nil
            let power = id.dropFirst().first.flatMap { powers[$0] }
            let set = "uji_\(zone)" + (power.map { "_\(Int(-$0))dbm" } ?? "")
            for (beacon, packets) in zip(beacons, heard) where !packets.isEmpty {
                readings[set, default: DistanceReading(dataSet: set)].windows.append(
                    DistanceWindow(
                        dataSet: set, group: beacon.name, run: String(id), link: .beacon, packets: packets,
                        metres: max(0.1, hypot(x - beacon.x, y - beacon.y)), receiver: "phone \(id.prefix(1))",
                        transmitter: beacon.name, powerHint: power))
            }
            let all = heard.enumerated().compactMap { anchor, packets in
                packets.map(\.rssi).mean.map { Visit.Heard(anchor: anchor, count: packets.count, mean: $0) }
            }
            guard !all.isEmpty else { return }
            if readings[set]?.visits == nil {
                readings[set]?.visits = VisitRecording(dataSet: set, anchors: beacons.map { ($0.x, $0.y) })
            }
            readings[set]?.visits?.visits.append(Visit(x: x, y: y, heard: all))
        }
        while rows < CSVTable.mostRows, let values = rss.next(), let place = crd.next(), let id = ids.next() {
            let stamps = times?.next().flatMap(CSV.fields)?.map(CSV.number)
            rows += 1
            guard let heard = CSV.fields(values)?.map(CSV.number), heard.count == beacons.count,
                let xy = CSV.fields(place)?.compactMap(CSV.number), xy.count >= 2, id.utf8.count > 4,
                !heard.contains(nil)
            else {
                malformed += 1
                continue
            }
            // The last two digits count the scans of a point.
            let point = Substring(id).dropLast(2)
            if open.map({ $0.id != point || $0.x != xy[0] || $0.y != xy[1] }) ?? true {
                finish()
                open = (point, xy[0], xy[1], beacons.map { _ in [] })
            }
            for (index, value) in heard.enumerated() {
                guard let value, value != unheard else { continue }
                guard RSSICleaner.valid.contains(value) else {
                    dropped += 1
                    continue
                }
                let nanoseconds = stamps.flatMap { $0.count == heard.count ? $0[index] : nil }
                let time = nanoseconds.map { $0 / 1e9 } ?? Double(rows)
                open?.packets[index].append(Packet(time: time, rssi: value))
            }
        }
        finish()
        log.read("\(folder)/rss/\(zone)_rss.csv", rows: rows, malformed: malformed, dropped: dropped)
        return readings.values.sorted { $0.dataSet < $1.dataSet }.flatMap { [$0] + phones($0) }
    }
}
