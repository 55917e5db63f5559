import Matching

extension ReceiverDirectory {
    /// Reads a row, without subjects beyond those that its gateway can plausibly have heard.
    package func row(
        _ packed: [UInt8], of receiver: Int64, within ceilings: BlockCeilings,
        _ isWanted: (Int64) -> Bool = { _ in true }
    ) -> ReadingRow? {
        guard ceilings.isNeeded, let gateway = self[receiver]?.place.gateway else {
            return ReadingRow(packed: packed, isWanted)
        }
        return ReadingRow(packed: packed) { ceilings.admits($0, of: gateway) && isWanted($0) }
    }

    /// Finds the greatest subject number that counts for each gateway.
    ///
    /// - Parameter rows: packed rows of readings of one block.
    package func ceilings(_ rows: [(receiver: Int64, content: [UInt8])]) -> BlockCeilings {
        var ceilings = BlockCeilings()
        var bytes: [Int64: Int] = [:]
        for (receiver, content) in rows {
            if let gateway = self[receiver]?.place.gateway { bytes[gateway, default: 0] += content.count }
        }
        // A subject takes at least three bytes.
        for (receiver, content) in rows {
            guard let gateway = self[receiver]?.place.gateway, bytes[gateway] ?? 0 > 3 * BlockCeilings.most,
                let row = ReadingRow(packed: content)
            else { continue }
            for subject in row.subjects { ceilings.add(subject.number, of: gateway) }
        }
        ceilings.close()
        return ceilings
    }
}
