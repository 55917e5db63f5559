import Matching

extension InteractionStore {
    /// Receivers that publish readings, and of which no reading of a time says that they listened. Readings are numbered, and
    /// signed where records are: who keeps them back can't hide it.
    ///
    /// Whoever published some today or yesterday publishes readings.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970: minutes count that began then or later.
    ///   - now: the same.
    /// - Returns: `site/building/floor/gateway`, with `/ear` for one that the gateway looks after.
    /// - Throws: `StoreError`.
    package func silentReceivers(since time: Int64, now: Int64) throws -> Set<String> {
        try database.read { session in
            var silent: [Int64: String] = [:]
            try session.query("SELECT id, path FROM receiver WHERE seen >= $1", [.integer(now / Self.day - 1)]) {
                silent[$0.integer(0)] = $0.text(1)
            }
            if silent.isEmpty { return [] }
            let directory = ReceiverDirectory(silent)
            for block in Set([ReadingBlock(containing: time), ReadingBlock(containing: now)]) {
                let minutes = (0..<ReadingBlock.minutes).filter {
                    block.start(ofMinute: $0) >= time && block.start(ofMinute: $0) <= now
                }
                var contents = BlockContents(directory)
                try contents.add(listeningOf: block, session)
                try contents.add(listeningOfUnsettled: block, by: Set(silent.keys), session)
                for (receiver, value) in contents.receivers {
                    if minutes.contains(where: { value.listening.listened(inMinute: $0) }) { silent[receiver] = nil }
                }
            }
            return Set(silent.values)
        }
    }
}
