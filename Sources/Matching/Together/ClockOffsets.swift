/// Finds receivers whose clocks are off, by people's walks: whoever comes, goes or changes rooms is heard otherwise by all
/// receivers of a floor in the same minute. A receiver whose changes match those of the others best so many minutes later has a
/// clock that is ahead by so many.
package struct ClockOffsets: Sendable {
    /// Minutes by which a clock can be off and is still found.
    package static let most = 30
    /// Less can't be told from a walk that takes its time.
    package static let least = 2
    /// Subjects and receivers of a floor that are looked at.
    private static let mostSubjects = 200
    private static let mostReceivers = 64
    /// Changes, in dB, beyond which a change is only that.
    private static let greatestChange = 20.0
    /// The level, in dBm, of a receiver that hears nothing.
    private static let silence = -95.0
    /// By how many standard deviations the best match has to stand out.
    private static let significance = 5.0

    private let minutes: Int
    /// By receiver and subject: the level in each minute, in dBm.
    private var levels: [Int64: [Int64: [Double]]] = [:]
    private var subjects: Set<Int64> = []

    /// - Parameter minutes: of the time that is looked at.
    package init(minutes: Int) { self.minutes = minutes }

    /// Says what was heard of a subject.
    ///
    /// - Parameter minute: from 0.
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

    /// Minutes by which clocks of receivers of one floor are ahead; those that are right, or of which too little is known, are
    /// left out.
    ///
    /// - Parameter receivers: of one floor.
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
        // A walk takes a minute or two: what is beside the peak belongs to it.
        let others = scores.indices.filter { abs($0 - best) > 2 }.map { scores[$0] }
        let mean = others.reduce(0, +) / Double(others.count)
        let variance = others.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(others.count)
        return scores[best] - mean > significance * variance.squareRoot() && scores[best] > 0 ? offset : nil
    }
}
