import Evidence
import Matching

/// Evidence from readings against distances from one beacon.
extension InteractionStore {
    /// Returns the cut of encounters by what receivers heard of the subjects that met.
    ///
    /// - Parameters:
    ///   - encounters: encounters of the person who reported, by distances.
    ///   - company: company of the same person.
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

    /// Returns the blocks of encounters, with the subjects that the positive person met in each.
    private static func blocks(of encounters: [Encounter]) -> [ReadingBlock: Set<Int64>] {
        var blocks: [ReadingBlock: Set<Int64>] = [:]
        for (other, encounters) in Dictionary(grouping: encounters, by: \.other.subject) {
            // Each block once, however many stays overlap it.
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
    /// Returns the floors of places that have receivers.
    fileprivate func floors(of numbers: Set<Int64>, _ directory: ReceiverDirectory) throws -> [Int64: Int64] {
        var floors: [Int64: Int64] = [:]
        try query("SELECT id, gateway, site, building, floor FROM place") { row in
            guard numbers.contains(row.integer(0)) else { return }
            let owner = row.text(1) ?? ""
            let path = (2...4).map { row.text($0) ?? "" }.joined(separator: "/")
            // The place's own receiver determines its floor; claims of others about it do not count.
            floors[row.integer(0)] = directory.floor(owner.isEmpty ? path : PlaceClaimRule.floor(owner))
        }
        return floors
    }
}
