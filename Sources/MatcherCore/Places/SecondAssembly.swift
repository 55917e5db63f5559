import Matching

/// The seconds of one building that are not complete: what its receivers said of each.
struct SecondAssembly: Sendable {
    /// What a receiver heard of a subject in a second.
    struct Reading: Equatable, Sendable {
        /// Number of the receiver in `LiveReceivers`.
        var receiver: Int
        var rssi: Double
        var count: Int
    }

    /// A second with everything that was said of it.
    struct Second: Sendable {
        var start: Int64
        /// Receivers that have said all of it.
        var complete: Set<Int> = []
        var readings: [SubjectIdentity: [Reading]] = [:]

        init(start: Int64) { self.start = start }
    }

    private var seconds: [Second] = []
    /// Start of the latest second that was given.
    private(set) var last = Int64.min

    /// Time after its end at which a second is given, in seconds, whatever is missing.
    static let patience = 2.0
    /// Time after its end at which a complete second is given, in seconds: a receiver that hears somebody again is not
    /// waited for, so it needs time to say so.
    static let grace = 0.4
    /// Seconds ahead of the clock that are taken.
    private static let mostAhead: Int64 = 3

    init() {}

    /// Takes what a receiver said of a second.
    ///
    /// - Parameters:
    ///   - isComplete: whether no other message of the receiver follows for this second.
    ///   - now: seconds since 1970.
    /// - Returns: whether it was taken: it is late if the second was given already, or is longer ago than `patience`.
    mutating func add(
        _ start: Int64, of receiver: Int, _ readings: some Sequence<(SubjectIdentity, Reading)>, isComplete: Bool,
        now: Double
    ) -> Bool {
        guard start > last, Double(start + 1) > now - Self.patience, start <= Int64(now) + Self.mostAhead else {
            return false
        }
        let index: Int
        if let known = seconds.firstIndex(where: { $0.start == start }) {
            index = known
        } else {
            index = seconds.firstIndex { $0.start > start } ?? seconds.endIndex
            seconds.insert(Second(start: start), at: index)
        }
        for (subject, reading) in readings { seconds[index].readings[subject, default: []].append(reading) }
        if isComplete { seconds[index].complete.insert(receiver) }
        return true
    }

    /// Removes the seconds that are old enough to be given.
    mutating func discard(now: Double) { seconds.removeAll { Double($0.start + 1) <= now - Self.patience } }

    /// Returns the seconds that are complete or old enough, oldest first.
    ///
    /// - Parameter speaking: receivers that have spoken lately.
    mutating func take(speaking: Set<Int>, now: Double) -> [Second] {
        // Messages of a receiver arrive in order: what is before a complete second is complete as well.
        let ready = seconds.lastIndex {
            Double($0.start + 1) <= now - Self.patience
                || Double($0.start + 1) <= now - Self.grace && speaking.isSubset(of: $0.complete)
        }
        guard let ready else { return [] }
        let taken = Array(seconds[...ready])
        seconds.removeFirst(ready + 1)
        last = taken.last?.start ?? last
        return taken
    }
}
