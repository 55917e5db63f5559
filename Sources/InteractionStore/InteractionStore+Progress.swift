import Evidence
package import RecordContract

extension InteractionStore {
    /// Advances the progress of the records' gateways.
    ///
    /// - Parameter day: today, in days since 1970.
    func advance(
        _ records: [ReceivedRecord], day: Int64?, _ session: any SQLSession
    ) throws -> [String: RecordPosition] {
        var positions: [String: [RecordPosition]] = [:]
        for record in records { positions[record.gateway, default: []].append(record.position) }
        return try change(positions.keys.sorted(), day: day, session) { gateway, progress in
            for position in positions[gateway] ?? [] { progress.stored(position) }
        }
    }

    /// Changes the progress of gateways, with their rows locked.
    ///
    /// - Parameter gateways: sorted, so that two processes do not deadlock.
    /// - Returns: the positions up to which their records are stored now.
    private func change(
        _ gateways: [String], day: Int64?, _ session: any SQLSession, _ body: (String, inout StoredProgress) -> Void
    ) throws -> [String: RecordPosition] {
        var before = try lockedProgress(gateways, session)
        let unknown = gateways.filter { before[$0] == nil }
        if !unknown.isEmpty {
            // Two processes that first hear of a gateway at once would both find no row to lock, and the later would
            // undo the earlier.
            let none = JSON.encode(StoredProgress())
            try session.insert(
                StoreSchema.progressCreation,
                rows: unknown.map { [.text($0), .text(String(decoding: none, as: UTF8.self)), .integer(day ?? 0)] }
            ) { _ in }
            before = try lockedProgress(gateways, session)
        }
        var result: [String: RecordPosition] = [:]
        var rows: [[SQLValue]] = []
        for gateway in gateways {
            var progress = before[gateway] ?? StoredProgress()
            body(gateway, &progress)
            result[gateway] = progress.through
            if progress == before[gateway] { continue }
            rows.append([
                .text(gateway), .text(String(decoding: JSON.encode(progress), as: UTF8.self)), .integer(day ?? 0),
            ])
        }
        try session.insert(StoreSchema.progressInsertion, rows: rows) { _ in }
        return result
    }

    private func lockedProgress(_ gateways: [String], _ session: any SQLSession) throws -> [String: StoredProgress] {
        var progress: [String: StoredProgress] = [:]
        try session.find("path, progress", in: "gateway", where: "path", is: gateways, isLocking: true) { row in
            guard let path = row.text(0), let text = row.text(1) else { return }
            progress[path] = (try? JSON.decode(StoredProgress.self, from: Array(text.utf8))) ?? StoredProgress()
        }
        return progress
    }

    /// Applies a gateway's statement about the records that it holds.
    ///
    /// - Parameters:
    ///   - position: the gateway holds nothing below this; records missing there will never arrive. `nil`: it holds
    ///     nothing at all, and missing records may still be in transit.
    ///   - lasts: the last record of each of its latest boots.
    ///   - now: seconds since 1970.
    ///   - missing: called with the number of missing records, if there are any.
    /// - Returns: the position up to which its records are stored now.
    /// - Throws: `StoreError`.
    package func settle(
        _ gateway: String, below position: RecordPosition?, lasts: [RecordPosition] = [], now: Int64,
        missing: (UInt64) -> Void = { _ in }
    ) throws -> RecordPosition? {
        var count: UInt64 = 0
        let through = try database.write { session in
            try session.lockShared()
            return try change([gateway], day: now / Self.day, session) {
                $1.given(lasts)
                guard let position else { return }
                count = $1.missing(below: position)
                $1.settled(below: position)
            }[gateway]
        }
        if count > 0 { missing(count) }
        return through
    }
}
