import BeaconModel

/// The last record of each of the latest boots of a gateway. A consumer that receives it detects missing records even
/// if no record arrives after them. Pure.
package struct LastRecords: Equatable, Sendable {
    /// Positions by boot, ascending; at most `StoredProgress.mostEnds`.
    package private(set) var positions: [RecordPosition] = []

    package init() {}

    /// Adds a record.
    package mutating func add(_ position: RecordPosition) {
        let index = positions.partitioningIndex { $0.boot >= position.boot }
        if index < positions.count, positions[index].boot == position.boot {
            positions[index] = max(positions[index], position)
        } else {
            positions.insert(position, at: index)
            if positions.count > StoredProgress.mostEnds { positions.removeFirst() }
        }
    }
}
