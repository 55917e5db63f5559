package import RecordContract

/// A record to be sent to the broker.
package struct OutboxEntry: Equatable, Sendable {
    /// The identifier with which the record is acknowledged.
    package let id: Int64
    package let topic: String
    /// One line of JSON, which says whether the record is historical.
    package private(set) var payload: [UInt8]
    /// Whether the record waited out an outage.
    package let isHistorical: Bool
    package let priority: OutboxPriority
    package let position: RecordPosition

    /// Sets the payload, marked as historical if the record is.
    ///
    /// - Parameter payload: the original payload, without the mark.
    package mutating func setPayload(_ payload: [UInt8]) {
        self.payload = isHistorical ? HistoricalMark.setting(payload) : payload
    }
}

/// Records that can be offered now.
package struct OutboxOffer: Equatable, Sendable {
    package var entries: [OutboxEntry] = []
    /// The time after which to ask again, if only the pace or the broker's rejection holds the rest back.
    package var retryAfter: Duration?

    package init(entries: [OutboxEntry] = [], retryAfter: Duration? = nil) {
        self.entries = entries
        self.retryAfter = retryAfter
    }

    /// Sets payloads that were read from disk, and removes entries that still lack theirs or are no longer offered.
    ///
    /// - Parameters:
    ///   - missing: the records whose payloads were to be read.
    ///   - remaining: the records that are still offered; some may have been given up meanwhile.
    package mutating func complete(_ missing: [Int64], with read: [Int64: [UInt8]], remaining: Set<Int64>) {
        for index in entries.indices {
            if let payload = read[entries[index].id] { entries[index].setPayload(payload) }
        }
        let unread = Set(missing).subtracting(read.keys)
        entries.removeAll { unread.contains($0.id) || !remaining.contains($0.id) }
    }
}

/// The mark in the JSON of a record that waited out an outage.
package enum HistoricalMark {
    private static let unset = Array("\"historical\":false".utf8)
    private static let set = Array("\"historical\":true".utf8)

    /// Returns the payload with the mark set. Quotes within strings are escaped, so no string can look like the mark.
    package static func setting(_ payload: [UInt8]) -> [UInt8] {
        let length = unset.count
        guard payload.count >= length else { return payload }
        var start = payload.count - length
        while start >= 0 {
            if payload[start] == unset[0], payload[start..<start + length].elementsEqual(unset) {
                var marked: [UInt8] = []
                marked.reserveCapacity(payload.count)
                marked += payload[..<start]
                marked += set
                marked += payload[(start + length)...]
                return marked
            }
            start -= 1
        }
        return payload
    }
}
