import Evidence
import Matching

extension InteractionStore {
    /// Returns the receivers that publish readings, but did not listen in a period according to any of them. Readings
    /// are numbered, and signed where records are, so holding them back cannot be hidden.
    ///
    /// A receiver counts as publishing readings if it published any today or yesterday.
    ///
    /// - Parameters:
    ///   - time: seconds since 1970; minutes that began then or later count.
    ///   - now: seconds since 1970.
    /// - Returns: `site/building/floor/gateway`, followed by the remote receiver if it is one.
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
