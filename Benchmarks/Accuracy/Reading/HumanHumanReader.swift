/// Two people, six ways to carry the phones: `rss-humanhuman/RSS_human*.csv` (Ng, Spachos, Plataniotis).
struct HumanHumanReader {
    private struct Place: Equatable {
        var device: String
        var centimetres: Double
    }

    private static let dataSet = "human_human"
    /// Seconds of silence after which a recording was stopped in between, and seconds in which so many packets can't
    /// have come: there a recording has no clock, but steps of 100 s.
    private static let pause = 30.0
    private static let mostAtOnce = 50

    static func read(_ directory: String, _ log: inout ReadingLog) -> [DistanceReading] {
        let folder = "\(directory)/rss-humanhuman"
        var reading = DistanceReading(dataSet: dataSet)
        for file in DataDirectory.names(in: folder, prefix: "RSS_human", suffix: ".csv") {
            read(folder, file, &reading, &log)
        }
        return reading.windows.isEmpty ? [] : [reading]
    }

    private static func read(
        _ folder: String, _ file: String, _ reading: inout DistanceReading, _ log: inout ReadingLog
    ) {
        var segment: [Packet] = []
        var place = Place(device: "", centimetres: 0)
        var dropped = 0
        var clockless = 0
        func finish() {
            defer { segment = [] }
            let group = String(file.dropLast(".csv".count))
            let isClockless = Self.isClockless(segment)
            var cleaner = RSSICleaner()
            var cutter = WindowCutter<Place>()
            var kept: [Packet] = []
            func add(_ window: (place: Place, packets: [Packet])?) {
                guard let (place, packets) = window else { return }
                reading.windows.append(
                    DistanceWindow(
                        dataSet: dataSet, group: group, run: "\(place.device) \(place.centimetres) cm", link: .phone,
                        packets: packets, metres: place.centimetres / 100, receiver: place.device))
            }
            for packet in segment
            where cleaner.accepts(packet) || isClockless && RSSICleaner.valid.contains(packet.rssi) {
                kept.append(packet)
                add(cutter.take(packet, at: place))
            }
            add(cutter.finish())
            dropped += segment.count - kept.count
            if isClockless { clockless += 1 }
            guard !isClockless, kept.count > 1 else { return }
            reading.streams.append(
                PresenceStream(
                    dataSet: dataSet, recording: "\(group) \(place.device) \(place.centimetres)",
                    times: kept.map(\.time)))
        }
        let table = CSVTable("\(folder)/\(file)", needed: ["device", "elapsed", "rss", "dist"]) { row in
            guard let device = row["device"], let time = row.number("elapsed"), let rssi = row.number("rss"),
                let centimetres = row.number("dist"), centimetres > 0, centimetres < 100_000
            else { return false }
            let next = Place(device: String(device), centimetres: centimetres)
            if let last = segment.last, next != place || time < last.time || time - last.time > pause { finish() }
            place = next
            segment.append(Packet(time: time, rssi: rssi))
            return true
        }
        finish()
        guard let table else {
            log.skip("\(folder)/\(file)", "can't be read, or lacks the columns device, elapsed, rss and dist")
            return
        }
        log.read("\(folder)/\(file)", rows: table.rows, malformed: table.malformed, dropped: dropped)
        if clockless > 0 {
            log.note("\(file): \(clockless) recordings with times in steps of 100 s: one window each, no presence")
        }
    }

    private static func isClockless(_ segment: [Packet]) -> Bool {
        guard let first = segment.first, let last = segment.last, first.time == last.time else { return false }
        return segment.count > mostAtOnce || first.time.remainder(dividingBy: 100) == 0
    }
}
