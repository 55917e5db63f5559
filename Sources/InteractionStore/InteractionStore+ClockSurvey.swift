import Evidence
import Matching

extension InteractionStore {
    /// Searches the readings of the last hours for clocks that are off, and records them, so that answers about that
    /// time mention them.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: minutes by which clocks are ahead, by the receiver's path.
    /// - Throws: `StoreError`.
    package func surveyClocks(now: Int64) throws -> [String: Int] {
        let fixed = try fixedSubjects(since: now - Self.day)
        let last = ReadingBlock(containing: now).number - 1
        let blocks = (last - 23)...last
        return try storing { session in
            var survey = ClockSurvey(blocks)
            let directory = try ReceiverDirectory(session)
            for number in blocks {
                var contents = BlockContents(directory)
                try contents.add(settledOf: ReadingBlock(number: number), session)
                survey.add(contents, of: ReadingBlock(number: number), without: fixed)
            }
            var offsets: [String: Int] = [:]
            for (receiver, minutes) in survey.offsets.sorted(by: { $0.key < $1.key }) {
                try session.doubt(
                    receiver, .clock, from: ReadingBlock(number: blocks.lowerBound).start,
                    to: ReadingBlock(number: last).end, amount: Int64(minutes) * 60)
                if let path = directory[receiver]?.path { offsets[path] = minutes }
            }
            return offsets
        }
    }

    /// Returns the receivers that were doubted for a reason in a period.
    ///
    /// - Parameters:
    ///   - since: seconds since 1970.
    ///   - until: seconds since 1970.
    /// - Throws: `StoreError`.
    package func doubtedReceivers(_ doubt: ReceiverDoubt, from since: Int64, to until: Int64) throws -> Set<Int64> {
        try database.read { try $0.doubted(doubt, from: since, to: until) }
    }
}
