/// Search for similar subjects in a block of 15 minutes, from the vectors of all subjects in a building.
///
/// Only pairs that share a receiver are compared. The result does not depend on the order of the vectors.
package struct BlockComputation: Sendable {
    /// Receivers of the building, with their places and listening times.
    private let receivers: [Int64: Receiver]
    /// Subjects that are installed in a fixed place: they are never compared.
    private let fixed: Set<Int64>

    package struct Receiver: Equatable, Sendable {
        package var place: ListeningFloors.Place
        package var listening: BlockListening

        package init(_ place: ListeningFloors.Place, listening: BlockListening) {
            self.place = place
            self.listening = listening
        }
    }

    package struct Result: Equatable, Sendable {
        /// Company by subject; it contains each pair twice. Subjects that could not be compared in any minute are
        /// absent.
        package var company: [Int64: BlockCompany] = [:]
        /// Bits of the minutes, by subject, in which the subject was on a requested floor or on none.
        package var minutes: [Int64: UInt16] = [:]
        /// Receivers of gateways that claim too much, remote receivers included. The claims have no influence on the
        /// result; operators may want to know about them.
        package var disbelieved: Set<Int64> = []
        /// Badge minutes that were not compared, or not with all others, because their floor had too many subjects.
        package var leftOut = 0
    }

    /// Share of a floor's badge minutes in which a gateway of another floor can be the loudest. Only minutes near at
    /// least two of the floor's gateways count. A gateway with a greater share claims too much: no gateway can be that
    /// near to all subjects.
    private static let greatestShare = 0.5
    private static let leastClaims = 5

    package init(receivers: [Int64: Receiver], fixed: Set<Int64>) {
        self.receivers = receivers
        self.fixed = fixed
    }

    /// Returns the receivers that listened in a minute, with their floors.
    package func floors(inMinute minute: Int) -> ListeningFloors {
        ListeningFloors(receivers.filter { $0.value.listening.listened(inMinute: minute) }.mapValues(\.place))
    }

    /// Compares the subjects.
    ///
    /// - Parameters:
    ///   - vectors: the stored vectors of all subjects, by subject.
    ///   - floors: the floors whose subjects are compared; `nil`: all.
    package func result(_ vectors: [Int64: BlockVectors], on floors: Set<Int64>? = nil) -> Result {
        var result = Result()
        let subjects = subjects(vectors)
        let all = directions(vectors, subjects)
        let comparison = BlockComparison(
            all.subjects, all.directions, all.doubts, gateway: gateway(of:)
        ) { _ in floors }
        let (companies, leftOut) = comparison.companies()
        for (subject, company) in zip(subjects, companies) where !company.isEmpty { result.company[subject] = company }
        for (index, subject) in all.subjects.enumerated() {
            let isAgain = index >= subjects.count
            result.minutes[subject, default: 0] |= all.directions.enumerated().reduce(0) { bits, minute in
                guard let floor = minute.element[index]?.floor else {
                    return isAgain ? bits : bits | 1 << UInt16(minute.offset)
                }
                return floors?.contains(floor) ?? true ? bits | 1 << UInt16(minute.offset) : bits
            }
        }
        result.disbelieved = disbelieved(all)
        result.leftOut = comparison.leftOut + leftOut
        return result
    }

    /// Returns the floors on which a subject is, or may be, in any minute.
    package func floors(_ vectors: [Int64: BlockVectors]) -> Set<Int64> {
        Set(directions(vectors, subjects(vectors)).directions.lazy.joined().compactMap { $0?.floor })
    }

    /// Returns the company of some subjects only, equal to that in `result`.
    package func company(of wanted: Set<Int64>, _ vectors: [Int64: BlockVectors]) -> [Int64: BlockCompany] {
        let subjects = subjects(vectors)
        let all = directions(vectors, subjects)
        let indices = all.subjects.indices.filter { wanted.contains(all.subjects[$0]) }
        // On full floors, all subjects influence which ones are left out.
        let full = BlockComparison.fullFloors(all.directions).intersection(
            indices.flatMap { index in all.directions.compactMap { $0[index]?.floor } })
        // The floors of other subjects are not needed.
        let comparison = BlockComparison(
            all.subjects, all.directions, all.doubts, gateway: gateway(of:)
        ) { directions in
            full.union(indices.compactMap { directions[$0]?.floor })
        }
        var company: [Int64: BlockCompany] = [:]
        let owners = indices.filter { $0 < subjects.count }
        if !full.isEmpty {
            let companies = comparison.companies().companies
            for index in owners where !companies[index].isEmpty { company[subjects[index]] = companies[index] }
            return company
        }
        var scratch = comparison.scratch
        for index in owners {
            let own = comparison.company(of: index, &scratch)
            if !own.isEmpty { company[subjects[index]] = own }
        }
        return company
    }

    private func gateway(of receiver: Int64) -> Int64? { receivers[receiver]?.place.gateway }

    private func subjects(_ vectors: [Int64: BlockVectors]) -> [Int64] {
        vectors.keys.filter { !fixed.contains($0) }.sorted()
    }

    /// Directions of all subjects.
    private struct Everybody {
        /// Given subjects, followed by repeated entries for those that may be on another floor in some minute.
        var subjects: [Int64]
        /// Directions by minute, then by subject.
        var directions: [[AmplitudeVector?]]
        /// Doubts about the floor by minute, then by given subject.
        var doubts: [[FloorDoubt?]]
    }

    private func directions(_ vectors: [Int64: BlockVectors], _ subjects: [Int64]) -> Everybody {
        let minutes = subjects.map { vectors[$0]?.minutes }
        var all = Everybody(subjects: subjects, directions: [], doubts: [])
        // Positions of the repeated entries, by the position of the subject.
        var again: [Int: [Int]] = [:]
        for number in 0..<ReadingBlock.minutes {
            let floors = floors(inMinute: number)
            var row: [AmplitudeVector?] = Array(repeating: nil, count: all.subjects.count)
            var doubts: [FloorDoubt?] = Array(repeating: nil, count: subjects.count)
            for (index, minutes) in minutes.enumerated() {
                guard let vector = minutes?[number], !vector.isEmpty,
                    let direction = AmplitudeVector.all(vector, floors)
                else { continue }
                row[index] = direction.main
                doubts[index] = direction.doubt
                for (place, alternative) in direction.alternatives.enumerated() {
                    if place >= again[index]?.count ?? 0 {
                        again[index, default: []].append(all.subjects.count)
                        all.subjects.append(subjects[index])
                        row.append(nil)
                    }
                    if let column = again[index]?[place] { row[column] = alternative }
                }
            }
            all.directions.append(row)
            all.doubts.append(doubts)
        }
        for number in all.directions.indices {
            let missing = all.subjects.count - all.directions[number].count
            if missing > 0 { all.directions[number] += Array(repeating: nil, count: missing) }
        }
        return all
    }

    /// Returns the receivers of gateways that claim to be nearest to most subjects of another floor.
    private func disbelieved(_ all: Everybody) -> Set<Int64> {
        struct Claim: Hashable {
            var gateway: Int64
            var floor: Int64
        }
        struct Claimed {
            /// Minutes by the loudest gateway of that floor.
            var minutes: [Int64: Int] = [:]

            var total: Int { minutes.values.reduce(0, +) }
            /// Claimed minutes without those of the gateway with the most: a dishonest gateway, with all its remote
            /// receivers, cannot discredit another.
            var without: Int { total - (minutes.values.max() ?? 0) }
        }
        var claims: [Claim: Claimed] = [:]
        var onFloor: [Int64: Int] = [:]
        for directions in all.directions {
            // A subject that only one gateway received at near level is on the floor by that gateway's report alone.
            for direction in directions.prefix(all.doubts.first?.count ?? 0).lazy.compactMap(\.self)
            where direction.isNearTwo {
                onFloor[direction.floor, default: 0] += 1
                guard direction.loudest != direction.loudestOfFloor,
                    let gateway = receivers[direction.loudest]?.place.gateway,
                    let other = receivers[direction.loudestOfFloor]?.place.gateway
                else { continue }
                claims[Claim(gateway: gateway, floor: direction.floor), default: Claimed()].minutes[
                    other, default: 0] += 1
            }
        }
        let gateways = Set(
            claims.filter { claim, claimed in
                claimed.without >= Self.leastClaims && claimed.minutes.count > 1
                    && Double(claimed.total) > Self.greatestShare * Double(onFloor[claim.floor] ?? 0)
            }.map(\.key.gateway))
        return gateways.isEmpty ? [] : Set(receivers.filter { gateways.contains($0.value.place.gateway) }.keys)
    }
}
