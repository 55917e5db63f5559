import Matching

/// A search for clocks that are off in some blocks, floor by floor.
struct ClockSurvey {
    private let blocks: ClosedRange<Int64>
    /// Subjects' walks by floor.
    private var walks: [String: ClockOffsets] = [:]
    /// Receivers by floor.
    private var receivers: [String: Set<Int64>] = [:]

    /// Maximum number of blocks that are examined: twelve hours.
    private static let most: Int64 = 48

    /// Creates a survey.
    ///
    /// - Parameter blocks: the last of these blocks are examined.
    init(_ blocks: ClosedRange<Int64>) {
        self.blocks = max(blocks.lowerBound, blocks.upperBound - Self.most + 1)...blocks.upperBound
    }

    mutating func add(_ contents: BlockContents, of block: ReadingBlock, without fixed: Set<Int64>) {
        guard blocks.contains(block.number) else { return }
        let floors = contents.floors
        for (receiver, floor) in floors { receivers[floor, default: []].insert(receiver) }
        let first = Int(block.number - blocks.lowerBound) * ReadingBlock.minutes
        for (subject, vectors) in contents.vectors where !fixed.contains(subject) {
            for (minute, vector) in vectors.minutes.enumerated() where !vector.isEmpty {
                for floor in Set(vector.hearings.compactMap { floors[$0.receiver] }) {
                    walks[floor, default: ClockOffsets(minutes: blocks.count * ReadingBlock.minutes)]
                        .add(vector, of: subject, inMinute: first + minute)
                }
            }
        }
    }

    /// Returns the minutes by which clocks are ahead, by receiver.
    func offsets(of floor: String) -> [Int64: Int] { walks[floor]?.offsets(of: receivers[floor] ?? []) ?? [:] }

    var offsets: [Int64: Int] {
        walks.keys.reduce(into: [:]) { $0.merge(offsets(of: $1)) { first, _ in first } }
    }
}

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
