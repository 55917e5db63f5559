package import RecordContract

/// A record as a row of the store.
package struct OutboxRow: Sendable {
    package var id: Int64
    package var topic: String
    package var priority: OutboxPriority
    package var position: RecordPosition
    /// Entry time in microseconds since 1970.
    package var enteredAt: Int64
    package var payload: [UInt8]

    package init(
        id: Int64, topic: String, priority: OutboxPriority, position: RecordPosition, enteredAt: Int64, payload: [UInt8]
    ) {
        self.id = id
        self.topic = topic
        self.priority = priority
        self.position = position
        self.enteredAt = enteredAt
        self.payload = payload
    }

    /// Range of valid identifiers. Sums with them and with `times` must not overflow, because rows may be read that no
    /// gateway has written.
    package static let ids: Range<Int64> = 1..<(1 << 56)
    /// Range of valid values of `enteredAt`.
    package static let times: Range<Int64> = 0..<(1 << 56)

    /// Whether a gateway can have written this row.
    package var isPossible: Bool { Self.ids.contains(id) && Self.times.contains(enteredAt) && position.isPossible }

    /// Returns the checksum of all columns.
    ///
    /// - Parameter payload: used instead of this row's own payload.
    package func checksum(of payload: UnsafeRawBufferPointer) -> Int64 {
        var checksum = OutboxChecksum()
        checksum.combine(UInt64(bitPattern: id))
        checksum.combine(UInt64(priority.stored))
        checksum.combine(position.boot)
        checksum.combine(position.sequence)
        checksum.combine(UInt64(bitPattern: enteredAt))
        var topic = topic
        topic.withUTF8 { checksum.combine(UnsafeRawBufferPointer($0)) }
        checksum.combine(payload)
        return checksum.value
    }

    /// Returns sorted identifiers as ranges without gaps.
    package static func runs(_ ids: [Int64]) -> [ClosedRange<Int64>] {
        var runs: [ClosedRange<Int64>] = []
        for id in ids {
            // A damaged row may have any identifier.
            if let last = runs.last, last.upperBound == .max || id <= last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...max(id, last.upperBound)
            } else {
                runs.append(id...id)
            }
        }
        return runs
    }
}
