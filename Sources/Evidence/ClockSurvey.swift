package import Matching

/// A search for clocks that are off in some blocks, floor by floor.
package struct ClockSurvey {
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
    package init(_ blocks: ClosedRange<Int64>) {
        self.blocks = max(blocks.lowerBound, blocks.upperBound - Self.most + 1)...blocks.upperBound
    }

    package mutating func add(_ contents: BlockContents, of block: ReadingBlock, without fixed: Set<Int64>) {
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
    package func offsets(of floor: String) -> [Int64: Int] { walks[floor]?.offsets(of: receivers[floor] ?? []) ?? [:] }

    package var offsets: [Int64: Int] {
        walks.keys.reduce(into: [:]) { $0.merge(offsets(of: $1)) { first, _ in first } }
    }
}
