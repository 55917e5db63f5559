/// Places of a subject in each minute: the receiver on the subject's floor with the strongest signal, whatever is
/// reported on other floors.
///
/// Each minute is looked up for every other subject present, so results are cached.
package struct MinutePlaces: Sendable {
    private let vectors: [ReadingBlock: BlockVectors]
    /// Places of receivers, by receiver number.
    private let places: [Int64: Int64]
    private let floors: ListeningFloors
    private var known: [ReadingBlock: [Int64]] = [:]
    /// Block of the last lookup, with the places of its minutes.
    private var last: (block: ReadingBlock, places: [Int64])?

    /// Creates the lookup.
    ///
    /// - Parameters:
    ///   - vectors: vectors of the subject, by block.
    ///   - places: places of receivers, by receiver number.
    ///   - floors: floors of the receivers.
    package init(vectors: [ReadingBlock: BlockVectors], places: [Int64: Int64], floors: ListeningFloors) {
        self.vectors = vectors
        self.places = places
        self.floors = floors
    }

    /// Returns the place of the subject at a time.
    ///
    /// - Parameter time: seconds since 1970.
    /// - Returns: the number of a place; 0 when no receiver with a known place received the subject.
    package mutating func place(at time: Int64) -> Int64 {
        let block = ReadingBlock(containing: time)
        let minute = Int((time - block.start) / 60)
        if let last, last.block == block { return last.places[minute] }
        let found = known[block] ?? self.places(in: block)
        known[block] = found
        last = (block, found)
        return found[minute]
    }

    private func places(in block: ReadingBlock) -> [Int64] {
        (vectors[block] ?? BlockVectors()).minutes.map { vector in
            AmplitudeVector(vector, floors).flatMap { places[$0.loudestOfFloor] } ?? 0
        }
    }
}
