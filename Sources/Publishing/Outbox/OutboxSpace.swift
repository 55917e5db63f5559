/// The disk space available to an outbox.
package struct OutboxSpace: Equatable, Sendable {
    /// Bytes that are free in the file system.
    package var availableBytes: Int
    /// Bytes of the database in unused pages.
    package var freeBytes = 0
    /// Bytes of the database in used pages.
    package var usedBytes = 0

    package init(availableBytes: Int, freeBytes: Int = 0, usedBytes: Int = 0) {
        self.availableBytes = availableBytes
        self.freeBytes = freeBytes
        self.usedBytes = usedBytes
    }

    /// Bytes of records below which the file's own pages outweigh the records.
    private static let telling = 1_000_000

    /// Returns the bytes of records that can still be added, up to the limits of the outbox and of the disk.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the records that are held.
    ///   - space: `nil` if there is no disk, or its space is unknown.
    package static func room(rules: OutboxRules, bytes: Int, space: OutboxSpace?) -> Int {
        let room = max(0, rules.bytes - bytes)
        guard let space else { return room }
        // Records never fill a page of the file completely.
        let expansion = bytes < telling ? 1.5 : min(2, max(1, Double(space.usedBytes) / Double(bytes)))
        let (sum, overflow) = space.availableBytes.addingReportingOverflow(space.freeBytes)
        return overflow ? room : min(room, Int(Double(sum) / expansion))
    }
}
