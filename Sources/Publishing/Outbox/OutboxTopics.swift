/// Topics of the records in the outbox. Each has a small number while it has records.
package struct OutboxTopics: Sendable {
    package private(set) var lanes: [OutboxLane] = []
    private var numbers: [String: Int32] = [:]
    private var free: [Int32] = []

    package subscript(number: Int32) -> OutboxLane {
        _read { yield lanes[Int(number)] }
        _modify { yield &lanes[Int(number)] }
    }

    /// Counts one more record of a topic and returns the topic's number.
    mutating func addRecord(of topic: String) -> Int32 {
        if let number = numbers[topic] {
            self[number].records += 1
            return number
        }
        var lane = OutboxLane(topic: topic)
        lane.records = 1
        let number: Int32
        if let unused = free.popLast() {
            number = unused
            self[number] = lane
        } else {
            number = Int32(truncatingIfNeeded: lanes.count)
            lanes.append(lane)
        }
        numbers[topic] = number
        return number
    }

    mutating func removeRecord(of number: Int32) {
        self[number].records -= 1
        releaseIfUnused(number)
    }

    /// Releases the number of a topic without records. An urgent topic whose turn is still to come keeps its number
    /// until then.
    mutating func releaseIfUnused(_ number: Int32) {
        guard self[number].records == 0, !self[number].isUrgent else { return }
        numbers.removeValue(forKey: self[number].topic)
        self[number] = OutboxLane(topic: "")
        free.append(number)
    }
}
