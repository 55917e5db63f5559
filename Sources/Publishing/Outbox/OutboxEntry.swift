package import RecordContract

/// A record to be handed to the broker.
package struct OutboxEntry: Equatable, Sendable {
    /// By which it is acknowledged.
    package let id: Int64
    package let topic: String
    /// One line of JSON, which says whether it is historical.
    package private(set) var payload: [UInt8]
    /// Whether it waited out an outage.
    package let isHistorical: Bool
    package let priority: OutboxPriority
    package let position: RecordPosition

    /// - Parameter payload: as it came, not marked.
    package mutating func setPayload(_ payload: [UInt8]) {
        self.payload = isHistorical ? HistoricalMark.setting(payload) : payload
    }
}

/// What can be offered now.
package struct OutboxOffer: Equatable, Sendable {
    package var entries: [OutboxEntry] = []
    /// When only the pace holds the rest back: for how long.
    package var retryAfter: Duration?

    package init(entries: [OutboxEntry] = [], retryAfter: Duration? = nil) {
        self.entries = entries
        self.retryAfter = retryAfter
    }
}

/// The mark of a record that waited out an outage, in its JSON.
package enum HistoricalMark {
    private static let unset = Array("\"historical\":false".utf8)
    private static let set = Array("\"historical\":true".utf8)

    /// The payload with the mark set. Quotes within strings are escaped, so that none of them can look like it.
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
