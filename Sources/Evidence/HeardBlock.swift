package import Matching

/// Everything that was heard in a building in one settled block.
package struct HeardBlock: Sendable {
    package var block: ReadingBlock
    /// What receivers heard of each subject, in all buildings, by the numbers of subjects.
    package var vectors: [Int64: BlockVectors]
    /// How the receivers of the building listened, by their numbers.
    package var listening: [Int64: BlockListening]

    package init(
        block: ReadingBlock, vectors: [Int64: BlockVectors] = [:], listening: [Int64: BlockListening] = [:]
    ) {
        self.block = block
        self.vectors = vectors
        self.listening = listening
    }
}
