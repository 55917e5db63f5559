import BeaconModel

/// The last record of each of the latest boots of a gateway. Whoever is told of it knows of records that never came although
/// none came after them. Pure.
package struct LastRecords: Equatable, Sendable {
    /// By boot, ascending; `StoredProgress.mostEnds` at most.
    package private(set) var positions: [RecordPosition] = []

    package init() {}

    /// There is this one.
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
