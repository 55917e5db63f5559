/// Detection of receivers with wrong clocks from the movements of people. When a person arrives, departs or changes
/// rooms, the levels at all receivers of a floor change in the same minute. If a receiver's changes match those of the
/// others best a number of minutes later, its clock is ahead by that number.
package struct ClockOffsets: Sendable {
    /// Maximum clock offset that is found, in minutes.
    package static let most = 30
    /// Minimum clock offset that is found, in minutes. Smaller ones cannot be distinguished from slow walks.
    package static let least = 2
    /// Maximum numbers of subjects and of receivers of a floor that are examined.
    private static let mostSubjects = 200
    private static let mostReceivers = 64
    /// Limit for changes, in dB; greater changes count as this.
    private static let greatestChange = 20.0
    /// Level, in dBm, of a receiver that does not receive the subject.
    private static let silence = -95.0
    /// Number of standard deviations by which the best match must stand out.
    private static let significance = 5.0

    private let minutes: Int
    /// Levels in each minute, in dBm, by receiver and subject.
    private var levels: [Int64: [Int64: [Double]]] = [:]
    private var subjects: Set<Int64> = []

    /// Creates an empty table.
    ///
    /// - Parameter minutes: length of the examined time.
    package init(minutes: Int) { self.minutes = minutes }

    /// Adds the signals of a subject.
    ///
    /// - Parameter minute: minute of the examined time, from 0.
    package mutating func add(_ vector: MinuteVector, of subject: Int64, inMinute minute: Int) {
        guard (0..<minutes).contains(minute), subjects.contains(subject) || subjects.count < Self.mostSubjects else {
            return
        }
        subjects.insert(subject)
        for hearing in vector.hearings
        where levels[hearing.receiver] != nil || levels.count < Self.mostReceivers {
            levels[hearing.receiver, default: [:]][
                subject, default: Array(repeating: Self.silence, count: minutes)][minute] = max(
                    hearing.code.rssi, Self.silence)
        }
    }

    /// Returns the minutes by which receivers' clocks are ahead. Receivers with a correct clock or too little data are
    /// omitted.
    ///
    /// - Parameter receivers: receivers of one floor.
    package func offsets(of receivers: some Sequence<Int64>) -> [Int64: Int] {
        let receivers = receivers.filter { levels[$0] != nil }.sorted()
        guard receivers.count >= 3 else { return [:] }
        let changes = receivers.map { receiver in subjects.sorted().map { Self.changes(levels[receiver]?[$0]) } }
        var found: [Int64: Int] = [:]
        for (index, receiver) in receivers.enumerated() {
            var scores = Array(repeating: 0.0, count: 2 * Self.most + 1)
            for subject in changes[index].indices {
                guard let own = changes[index][subject] else { continue }
                let others = changes.indices.filter { $0 != index }.compactMap { changes[$0][subject] }
                guard others.count >= 2 else { continue }
                let rest = (0..<minutes).map { minute in others.reduce(0) { $0 + $1[minute] } / Double(others.count) }
                for lag in -Self.most...Self.most {
                    for minute in max(0, -lag)..<min(minutes, minutes - lag) {
                        scores[lag + Self.most] += own[minute + lag] * rest[minute]
                    }
                }
            }
            if let offset = Self.peak(scores) { found[receiver] = offset }
        }
        return found
    }

    private static func changes(_ levels: [Double]?) -> [Double]? {
        guard let levels else { return nil }
        var changes = [0.0]
        for (before, after) in zip(levels, levels.dropFirst()) {
            changes.append(min(abs(after - before), greatestChange))
        }
        return changes
    }

    private static func peak(_ scores: [Double]) -> Int? {
        guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }) else { return nil }
        let offset = best - most
        guard abs(offset) >= least, abs(offset) < most else { return nil }
        // A walk takes a minute or two, so neighbours of the peak belong to it.
        let others = scores.indices.filter { abs($0 - best) > 2 }.map { scores[$0] }
        let mean = others.reduce(0, +) / Double(others.count)
        let variance = others.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(others.count)
        return scores[best] - mean > significance * variance.squareRoot() && scores[best] > 0 ? offset : nil
    }
}
