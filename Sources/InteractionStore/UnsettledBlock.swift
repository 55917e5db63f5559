import Evidence
import Matching

/// The readings of a block that are not settled.
struct UnsettledBlock {
    var contents: BlockContents
    var subjects: Set<Int64> { Set(contents.vectors.keys) }
    /// Receiver, boot and sequence of each reading.
    var keys: [[Int64]] = []

    /// Reads the unsettled readings of a block.
    ///
    /// - Parameter building: `site/building`; `nil`: all buildings.
    init(
        _ block: ReadingBlock, building: String? = nil, _ directory: ReceiverDirectory, _ session: any SQLSession
    ) throws {
        contents = BlockContents(directory)
        let here = building.map { directory.receivers(ofBuilding: $0).map(String.init).joined(separator: ", ") }
        var rows: [(receiver: Int64, content: [UInt8])] = []
        try session.query(
            "SELECT receiver, boot, sequence, content FROM reading WHERE block = \(block.number)"
                + (here.map { " AND receiver IN (\($0))" } ?? ""), [], keepsStatement: false
        ) { row in
            guard directory[row.integer(0)] != nil else { return }
            keys.append([row.integer(0), row.integer(1), row.integer(2)])
            // Skips invalid rows from other writers.
            guard ReadingKey.isNumber(row.integer(0)) else { return }
            rows.append((row.integer(0), row.blob(3)))
        }
        let ceilings = directory.ceilings(rows)
        for (receiver, bytes) in rows {
            if let content = directory.row(bytes, of: receiver, within: ceilings) {
                contents.add(content, receiver: receiver)
            }
        }
    }
}
