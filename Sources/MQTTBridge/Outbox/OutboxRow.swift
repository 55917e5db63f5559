/// A record as a row of the store.
struct OutboxRow: Sendable {
    var id: Int64
    var topic: String
    var priority: OutboxPriority
    var position: RecordPosition
    /// Microseconds since 1970.
    var enteredAt: Int64
    var payload: [UInt8]

    /// Identifiers that a row may have. Sums with them and with `times` must not overflow: rows may be read that no
    /// gateway has written.
    static let ids: Range<Int64> = 1..<(1 << 56)
    /// What `enteredAt` may be.
    static let times: Range<Int64> = 0..<(1 << 56)

    /// Whether a gateway can have written it.
    var isPossible: Bool { Self.ids.contains(id) && Self.times.contains(enteredAt) && position.isPossible }

    /// Of all columns.
    ///
    /// - Parameter payload: in the place of this row's own.
    func checksum(of payload: UnsafeRawBufferPointer) -> Int64 {
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
}
