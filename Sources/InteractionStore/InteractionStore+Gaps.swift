package import RecordContract

extension InteractionStore {
    /// Returns which records of each gateway are stored.
    ///
    /// - Throws: `StoreError`.
    package func storedProgress() throws -> [String: StoredProgress] {
        try database.read { session in
            var result: [String: StoredProgress] = [:]
            try session.query("SELECT path, progress FROM gateway") { row in
                guard let path = row.text(0), let text = row.text(1) else { return }
                result[path] = try? JSON.decode(StoredProgress.self, from: Array(text.utf8))
            }
            return result
        }
    }

    /// Returns the position up to which the records of each gateway are stored without a gap.
    ///
    /// - Throws: `StoreError`.
    package func progress() throws -> [String: RecordPosition] { try storedProgress().compactMapValues(\.through) }
}
