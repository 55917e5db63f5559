import FloorPlans
import Localisation

/// The nearest neighbours of a survey's fingerprints: 15 of them, in levels.
struct Fingerprints {
    private struct Print {
        var floor: Int
        var position: PlanPoint
        var room: Int?
        var levels: [Double]
    }

    private var prints: [Print] = []
    private static let neighbours = 15
    /// Level of a receiver that does not hear, in dBm.
    private static let unheard = -95.0

    init(_ recording: Recording) {
        var open: (time: Double, floor: Int, position: PlanPoint, levels: [Double])?
        func finish() {
            guard let open else { return }
            let guess = PeerMethods.guess(recording, open.floor, open.position)
            prints.append(Print(floor: open.floor, position: open.position, room: guess.room, levels: open.levels))
        }
        for reading in recording.survey {
            if open?.time != reading.time || open?.position != reading.position {
                finish()
                open = (
                    reading.time, reading.floor, reading.position,
                    Array(repeating: Self.unheard, count: recording.receivers.count)
                )
            }
            open?.levels[reading.receiver] = reading.rssi
        }
        finish()
    }

    func locate(_ recording: Recording, _ heard: [Int: Double]) -> Guess? {
        let levels = recording.receivers.indices.map { heard[$0] ?? Self.unheard }
        func squared(_ print: Print) -> Double {
            var sum = 0.0
            for (one, other) in zip(print.levels, levels) { sum += (one - other) * (one - other) }
            return sum
        }
        let distances = prints.map { (print: $0, distance: squared($0)) }
        let nearest = distances.sorted { $0.distance < $1.distance }.prefix(Self.neighbours).map(\.print)
        guard let first = nearest.first else { return nil }
        var votes: [Int?: Int] = [:]
        for print in nearest { votes[print.room, default: 0] += 1 }
        let count = Double(nearest.count)
        let position = PlanPoint(
            x: nearest.reduce(0) { $0 + $1.position.x } / count, y: nearest.reduce(0) { $0 + $1.position.y } / count)
        let room = votes.max { ($0.value, $1.key ?? .max) < ($1.value, $0.key ?? .max) }?.key
        return Guess(time: 0, floor: first.floor, position: position, room: room ?? nil)
    }
}
