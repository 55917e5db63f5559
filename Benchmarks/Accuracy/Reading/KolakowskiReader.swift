import Glibc

/// A robot's tag in a furnished flat with six anchors: `kolakowski-flat/anchors.csv`, `calibration/*.csv` and
/// `tests/*robot*.csv` (Kolakowski 2021).
///
/// The height of the tag isn't in the files. A robot of this kind is low: 0.2 m is assumed.
struct KolakowskiReader {
    private struct Place: Equatable {
        /// Of a quarter of a metre.
        var x: Int
        var y: Int
    }

    private static let tagHeight = 0.2
    private static let dataSet = "kolakowski_flat"

    static func read(_ directory: String, _ log: inout ReadingLog) -> [DistanceReading] {
        let folder = "\(directory)/kolakowski-flat"
        var anchors: [(name: String, x: Double, y: Double, z: Double)] = []
        let table = CSVTable("\(folder)/anchors.csv", needed: ["id", "x", "y", "z"]) { row in
            guard let name = row["id"], let x = row.number("x"), let y = row.number("y"), let z = row.number("z")
            else { return false }
            anchors.append((String(name), x, y, z))
            return true
        }
        guard table != nil, !anchors.isEmpty, anchors.count <= 64 else { return [] }
        var reading = DistanceReading(dataSet: dataSet)
        var visits = VisitRecording(dataSet: dataSet, anchors: anchors.map { ($0.x, $0.y) })
        let files =
            DataDirectory.names(in: "\(folder)/calibration", suffix: ".csv").map { "\(folder)/calibration/\($0)" }
            + DataDirectory.names(in: "\(folder)/tests", suffix: ".csv").filter { $0.contains("robot") }
            .map { "\(folder)/tests/\($0)" }
        for file in files {
            var points: [(x: Double, y: Double, time: Double, rssi: [Double?])] = []
            var dropped = 0
            let table = CSVTable(file, needed: ["x", "y"]) { row in
                guard let x = row.number("x"), let y = row.number("y"), abs(x) < 1000, abs(y) < 1000 else {
                    return false
                }
                let time = (row.number("ts") ?? row.number("time") ?? 0) / 1e9
                let rssi = anchors.map { anchor in
                    row.number("rssi_\(anchor.name)").flatMap { value -> Double? in
                        if RSSICleaner.valid.contains(value) { return value }
                        dropped += 1
                        return nil
                    }
                }
                points.append((x, y, time, rssi))
                return true
            }
            guard let table else {
                log.skip(file, "can't be read, or lacks the columns x and y")
                continue
            }
            log.read(file, rows: table.rows, malformed: table.malformed, dropped: dropped)
            if visits.visits.isEmpty { visits.visits = Self.visits(points) }
            for (index, anchor) in anchors.enumerated() {
                var cutter = WindowCutter<Place>()
                func add(_ window: (place: Place, packets: [Packet])?) {
                    guard let (place, packets) = window else { return }
                    let x = (Double(place.x) + 0.5) / 4
                    let y = (Double(place.y) + 0.5) / 4
                    var window = DistanceWindow(
                        dataSet: dataSet, group: anchor.name, run: file, link: .beacon, packets: packets,
                        metres: hypot(hypot(x - anchor.x, y - anchor.y), anchor.z - tagHeight), receiver: anchor.name)
                    window.isOfWalk = true
                    reading.windows.append(window)
                }
                for point in points {
                    guard let rssi = point.rssi[index] else { continue }
                    let place = Place(x: Int((point.x * 4).rounded(.down)), y: Int((point.y * 4).rounded(.down)))
                    add(cutter.take(Packet(time: point.time, rssi: rssi), at: place))
                }
                add(cutter.finish())
            }
        }
        if !visits.visits.isEmpty { reading.visits = visits }
        return reading.windows.isEmpty ? [] : [reading]
    }

    /// Seconds of a visit, and from one to the next: the robot goes on all the while.
    private static let visitLength = 3.0
    private static let visitInterval = 10.0

    /// Parts of a walk in which the robot hardly moves; of points in the order of time.
    private static func visits(_ points: [(x: Double, y: Double, time: Double, rssi: [Double?])]) -> [Visit] {
        var visits: [Visit] = []
        var next = points.startIndex
        while next < points.endIndex {
            let start = points[next].time
            let part = points[next...].prefix { (start..<(start + visitLength)).contains($0.time) }
            var sums: [Int: (count: Int, sum: Double)] = [:]
            for point in part {
                for (anchor, rssi) in point.rssi.enumerated() {
                    guard let rssi else { continue }
                    let (count, sum) = sums[anchor] ?? (0, 0)
                    sums[anchor] = (count + 1, sum + rssi)
                }
            }
            let heard = sums.sorted { $0.key < $1.key }.map {
                Visit.Heard(anchor: $0.key, count: $0.value.count, mean: $0.value.sum / Double($0.value.count))
            }
            let count = Double(part.count)
            if !heard.isEmpty {
                visits.append(
                    Visit(
                        x: part.reduce(0) { $0 + $1.x } / count, y: part.reduce(0) { $0 + $1.y } / count, heard: heard,
                        time: start))
            }
            // A time that is earlier begins anew.
            let later = points[next...].dropFirst().firstIndex {
                $0.time < start || $0.time >= start + visitInterval
            }
            next = later ?? points.endIndex
        }
        return visits
    }
}
