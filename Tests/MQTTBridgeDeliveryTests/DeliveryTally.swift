import RecordContract
import SyntheticRecords

/// What a consumer has received of synthetic records.
struct DeliveryTally: Sendable {
    /// How often each has come.
    private(set) var counts: [RecordPosition: Int] = [:]
    /// Records that came for the first time after a later one of their topic had come.
    private(set) var outOfOrder: [RecordPosition] = []
    private(set) var historical = 0
    /// Messages that aren't such records.
    private(set) var foreign: [String] = []
    private var latest: [Substring: RecordPosition] = [:]

    /// - Parameter line: topic and payload, with a space between.
    /// - Returns: which record it is.
    @discardableResult
    mutating func take(_ line: String) -> RecordPosition? {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let topic = parts.first, let payload = parts.dropFirst().first,
            let position = SyntheticRecords.position(in: payload)
        else {
            foreign.append(line)
            return nil
        }
        counts[position, default: 0] += 1
        if payload.suffix(80).contains("\"historical\":true") { historical += 1 }
        guard counts[position] == 1 else { return position }
        if let latest = latest[topic], position < latest { outOfOrder.append(position) }
        latest[topic] = max(latest[topic] ?? position, position)
        return position
    }

    var received: Set<RecordPosition> { Set(counts.keys) }
    var duplicates: Int { counts.values.reduce(0) { $0 + $1 - 1 } }

    /// One line for people.
    func summary(_ name: String, sent: Int, evicted: UInt64) -> String {
        "\(name): sent \(sent) received \(counts.count) duplicates \(duplicates) evicted \(evicted)"
    }
}
