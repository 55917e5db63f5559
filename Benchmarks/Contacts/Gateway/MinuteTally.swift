/// How many packets of each person one receiver got in each minute of a day, and how strong they were.
struct MinuteTally: Equatable, Sendable {
    private let people: Int
    private let minutes: Int
    private var counts: [UInt16]
    /// dBm.
    private var sums: [Int32]

    /// What is left of a minute.
    struct Cell: Equatable, Sendable {
        var count: Int
        /// dBm.
        var mean: Double
    }

    init(people: Int, minutes: Int) {
        self.people = people
        self.minutes = minutes
        counts = Array(repeating: 0, count: people * minutes)
        sums = Array(repeating: 0, count: people * minutes)
    }

    /// - Parameter minute: since the building opened; others than those of the day are left out.
    mutating func add(_ person: Int, minute: Int, rssi: Int8) {
        guard (0..<minutes).contains(minute) else { return }
        let index = minute * people + person
        guard counts[index] < .max else { return }
        counts[index] += 1
        sums[index] += Int32(rssi)
    }

    /// `nil`: nothing was heard.
    subscript(person: Int, minute: Int) -> Cell? {
        let index = minute * people + person
        let count = Int(counts[index])
        return count > 0 ? Cell(count: count, mean: Double(sums[index]) / Double(count)) : nil
    }
}
