public import MQTTBridge

extension InteractionStore {
    /// Records that haven't come, between others that have.
    public struct Gap: Equatable, Sendable {
        /// The last one before.
        public var after: RecordPosition
        /// How many of that boot are missing, at least.
        public var missing: UInt64

        public init(after: RecordPosition, missing: UInt64) {
            self.after = after
            self.missing = missing
        }
    }

    /// The first gap of each gateway that has one.
    ///
    /// - Throws: `StoreError`.
    public func gaps() throws -> [String: Gap] {
        try database.read { session in
            var gaps: [String: Gap] = [:]
            try session.query("SELECT path, progress FROM gateway") { row in
                guard let path = row.text(0), let text = row.text(1),
                    let progress = try? JSON.decode(StoredProgress.self, from: Array(text.utf8)),
                    let after = progress.through, progress.firstGap > 0
                else { return }
                gaps[path] = Gap(after: after, missing: progress.firstGap)
            }
            return gaps
        }
    }
}
