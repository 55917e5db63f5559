/// The space that an outbox has on its disk.
package struct OutboxSpace: Equatable, Sendable {
    /// Bytes that the file system has left.
    package var availableBytes: Int
    /// Bytes of the database in pages that no record uses.
    package var freeBytes = 0
    /// Bytes of the database in pages that are in use.
    package var usedBytes = 0

    package init(availableBytes: Int, freeBytes: Int = 0, usedBytes: Int = 0) {
        self.availableBytes = availableBytes
        self.freeBytes = freeBytes
        self.usedBytes = usedBytes
    }

    /// Below this the file's own pages outweigh the records.
    private static let telling = 1_000_000

    /// Bytes of records that can still come in: up to the limit of the outbox, and up to that of the disk.
    ///
    /// - Parameters:
    ///   - bytes: those of the records that are held.
    ///   - space: `nil` if there is no disk, or its space is unknown.
    package static func room(rules: OutboxRules, bytes: Int, space: OutboxSpace?) -> Int {
        let room = max(0, rules.bytes - bytes)
        guard let space else { return room }
        // A page of the file is never quite full of records.
        let expansion = bytes < telling ? 1.5 : min(2, max(1, Double(space.usedBytes) / Double(bytes)))
        let (sum, overflow) = space.availableBytes.addingReportingOverflow(space.freeBytes)
        return overflow ? room : min(room, Int(Double(sum) / expansion))
    }
}
