/// Stored minutes in which two subjects were similar at all receivers in reach.
package struct PairMinutes: Equatable, Sendable {
    /// Blocks in order of time, each once. They stay in stored form, since most pairs have too few minutes to examine
    /// individually.
    private var blocks: [Block] = []

    private struct Block: Equatable {
        var block: ReadingBlock
        var levels: BlockLevels
    }

    package struct Minute: Equatable, Sendable {
        /// Start, in seconds since 1970.
        package var start: Int64
        package var level: SimilarityLevel

        package init(start: Int64, level: SimilarityLevel) {
            self.start = start
            self.level = level
        }
    }

    package init(_ minutes: some Sequence<Minute> = []) {
        for minute in minutes {
            let block = ReadingBlock(containing: minute.start)
            var levels = BlockLevels()
            levels[Int((minute.start - block.start) / 60)] = minute.level
            add(levels, in: block)
        }
    }

    /// Adds the levels of a block. Of several levels of a minute the greatest counts.
    package mutating func add(_ levels: BlockLevels, in block: ReadingBlock) {
        guard !levels.isEmpty else { return }
        var index = blocks.endIndex
        while index > 0, blocks[index - 1].block >= block { index -= 1 }
        if index < blocks.endIndex, blocks[index].block == block {
            blocks[index].levels = blocks[index].levels.maximum(levels)
        } else {
            blocks.insert(Block(block: block, levels: levels), at: index)
        }
    }

    /// Returns the number of minutes with at least the given level.
    package func count(from threshold: SimilarityLevel) -> Int {
        blocks.reduce(0) { $0 + $1.levels.count(from: threshold) }
    }

    /// Returns the minutes with at least the given level, in order of time.
    package func minutes(from threshold: SimilarityLevel) -> [Minute] {
        var minutes: [Minute] = []
        minutes.reserveCapacity(count(from: threshold))
        for block in blocks {
            for (minute, level) in block.levels.enumerated() where level >= threshold && level > .none {
                minutes.append(Minute(start: block.block.start(ofMinute: minute), level: level))
            }
        }
        return minutes
    }
}
