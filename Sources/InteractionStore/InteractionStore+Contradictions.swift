import Matching

/// What readings say against distances from one beacon.
extension InteractionStore {
    /// The cut of encounters by what receivers heard of those who met.
    ///
    /// - Parameters:
    ///   - encounters: of the one who reported, by distances.
    ///   - company: of the same.
    /// - Throws: `StoreError`.
    func cut(of encounters: [Encounter], by company: Company) throws -> EncounterCut {
        if encounters.isEmpty { return EncounterCut(excluded: [:], unheard: []) }
        let unheard = try phones(among: encounters)
        return try database.read { session in
            let directory = try ReceiverDirectory(session)
            let receivers = ListeningFloors(directory.places)
            let places = try session.floors(
                of: Set(encounters.flatMap { [$0.positive.place, $0.other.place] }), directory)
            let blocks = Self.blocks(of: encounters)
            var excluded: [ReadingBlock: Set<Int64>] = [:]
            for block in blocks.keys where company.compared.contains(block) {
                let minutes = company.vectors[block]?.minutes ?? []
                let floors = Set(minutes.compactMap { AmplitudeVector($0, receivers)?.floor })
                excluded[block] = Set(places.filter { floors.contains($0.value) }.keys)
            }
            var whereabouts = EncounterCut.Whereabouts()
            for subject in Set(encounters.map(\.positive.subject)) {
                for (block, own) in company.vectors { whereabouts.add(subject, own, in: block, receivers) }
            }
            let unsettled = try session.unsettledBlocks()
            for (block, others) in blocks where unsettled.contains(block) {
                let vectors = try UnsettledBlock(block, directory, session).contents.vectors
                for (subject, heard) in vectors where others.contains(subject) {
                    whereabouts.add(subject, heard, in: block, receivers)
                }
            }
            let keys = blocks.flatMap { block, others in session.keys(others.subtracting(unheard), of: block) }
            try session.rows("vectors", keys.sorted()) { row in
                let key = ReadingKey(rawValue: row.integer(0))
                if let vectors = BlockVectors(packed: row.blob(1)) {
                    whereabouts.add(key.number, vectors, in: key.block, receivers)
                }
            }
            return EncounterCut(excluded: excluded, whereabouts: whereabouts, floors: places, unheard: unheard)
        }
    }

    /// When encounters were, and whom the positive met then.
    private static func blocks(of encounters: [Encounter]) -> [ReadingBlock: Set<Int64>] {
        var blocks: [ReadingBlock: Set<Int64>] = [:]
        for (other, encounters) in Dictionary(grouping: encounters, by: \.other.subject) {
            // Of stays that overlap each block once, however many they are.
            var next = Int64.min
            for stay in encounters.map(\.positive).sorted(by: { $0.start < $1.start }) {
                let last = ReadingBlock(containing: max(stay.start, stay.end - 1)).number
                let first = max(next, ReadingBlock(containing: stay.start).number)
                guard first <= last else { continue }
                for number in first...last { blocks[ReadingBlock(number: number), default: []].insert(other) }
                next = last + 1
            }
        }
        return blocks
    }
}

extension SQLSession {
    /// The floors of places that have receivers.
    fileprivate func floors(of numbers: Set<Int64>, _ directory: ReceiverDirectory) throws -> [Int64: Int64] {
        var floors: [Int64: Int64] = [:]
        try query("SELECT id, gateway, site, building, floor FROM place") { row in
            guard numbers.contains(row.integer(0)) else { return }
            let owner = row.text(1) ?? ""
            let path = (2...4).map { row.text($0) ?? "" }.joined(separator: "/")
            // A place's receiver speaks for it; what somebody else says of its floor doesn't count.
            floors[row.integer(0)] = directory.floor(owner.isEmpty ? path : PlaceClaimRule.floor(owner))
        }
        return floors
    }
}
