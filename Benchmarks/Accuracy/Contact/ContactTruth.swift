/// How far two people were from each other at each second of a scenario, from the distances that its packets carry.
struct ContactTruth: Sendable {
    /// Metres; a window is scored at each.
    static let radii = [1.5, 2.0, 3, 6]
    /// Seconds between two distances that are still interpolated, and between two that are nearly equal: those who
    /// scan every five minutes say no more of people who sit.
    ///
    /// Where known distances of the DP-3T scenarios are hidden and interpolated, 2 % of the seconds between nearly equal
    /// ones come to the wrong side of 2 m, for gaps of 30 s and of 330 s alike; of the others 10 % in gaps of 30 s, 11 %
    /// in gaps of 90 s, and 20 % in gaps of 330 s, which are left out.
    private static let longestGap = 90.0
    private static let longestStillGap = 330.0
    /// Metres.
    private static let stillness = 0.5

    private let people: Int
    private let seconds: Int
    /// By pair and second; -1 where it isn't known.
    private var metres: [Float]

    init(_ recording: ContactRecording) {
        people = recording.people.count
        seconds = Int(recording.length.rounded(.up)) + 1
        metres = [Float](repeating: -1, count: people * people * seconds)
        var last = [(time: Double, metres: Double)?](repeating: nil, count: people * people)
        for packet in recording.packets {
            guard let distance = packet.metres else { continue }
            let pair = index(packet.receiver, packet.transmitter)
            let from = last[pair] ?? (packet.time, distance)
            last[pair] = (packet.time, distance)
            let isStill = abs(distance - from.metres) <= Self.stillness
            guard packet.time - from.time <= (isStill ? Self.longestStillGap : Self.longestGap) else {
                set(pair, second: Int(packet.time.rounded()), distance)
                continue
            }
            if from.time == packet.time { set(pair, second: Int(packet.time.rounded()), distance) }
            var second = Int(from.time.rounded(.up))
            while Double(second) <= packet.time, from.time < packet.time {
                let share = (Double(second) - from.time) / (packet.time - from.time)
                set(pair, second: second, from.metres + share * (distance - from.metres))
                second += 1
            }
        }
    }

    /// The distance of two people at a second, where the packets say it.
    func metres(_ first: Int, _ second: Int, at time: Int) -> Double? {
        guard (0..<seconds).contains(time) else { return nil }
        let value = metres[index(first, second) * seconds + time]
        return value < 0 ? nil : Double(value)
    }

    /// Whether two people are within each of `radii`; where no packet says it, as far as third people leave no
    /// doubt (triangle inequality), and `nil` elsewhere.
    func isWithin(_ first: Int, _ second: Int, at time: Int) -> [Bool?] {
        if let known = metres(first, second, at: time) { return Self.radii.map { known <= $0 } }
        var atMost = Double.infinity
        var atLeast = 0.0
        for third in 0..<people where third != first && third != second {
            guard let one = metres(first, third, at: time), let other = metres(second, third, at: time) else {
                continue
            }
            atMost = min(atMost, one + other)
            atLeast = max(atLeast, abs(one - other))
        }
        return Self.radii.map { atMost <= $0 ? true : atLeast > $0 ? false : nil }
    }

    private func index(_ first: Int, _ second: Int) -> Int { min(first, second) * people + max(first, second) }

    private mutating func set(_ pair: Int, second: Int, _ distance: Double) {
        guard (0..<seconds).contains(second) else { return }
        metres[pair * seconds + second] = Float(distance)
    }
}
