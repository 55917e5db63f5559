/// Where somebody was in each minute: at the receiver of their floor that heard them loudest, whatever is claimed on others.
///
/// Each minute is asked about for each of those who were there, so what was found is kept.
package struct MinutePlaces: Sendable {
    private let vectors: [ReadingBlock: BlockVectors]
    /// The places of receivers, by the receivers' numbers.
    private let places: [Int64: Int64]
    private let floors: ListeningFloors
    private var known: [ReadingBlock: [Int64]] = [:]
    /// The block that was asked about last, and the places of its minutes.
    private var last: (block: ReadingBlock, places: [Int64])?

    /// - Parameters:
    ///   - vectors: what was heard of somebody.
    ///   - places: the places of receivers, by the receivers' numbers.
    ///   - floors: where the receivers are.
    package init(vectors: [ReadingBlock: BlockVectors], places: [Int64: Int64], floors: ListeningFloors) {
        self.vectors = vectors
        self.places = places
        self.floors = floors
    }

    /// - Parameter time: in seconds since 1970.
    /// - Returns: the number of a place; 0 when nobody whose place is known heard them.
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
