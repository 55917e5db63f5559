/// Finds who looked alike in a block of 15 minutes, from the vectors of everybody in a building.
///
/// Only pairs that share a receiver are compared. The same vectors give the same answer, in whatever order they are given.
package struct BlockComputation: Sendable {
    /// Receivers of the building, with what is known of each.
    private let receivers: [Int64: Receiver]
    /// Subjects that hang somewhere: they are nobody's company.
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
        /// By subject; each pair is in it twice. Who could be compared in no minute isn't in it.
        package var company: [Int64: BlockCompany] = [:]
        /// By subject: bits of the minutes in which it was on a floor that was asked about, or on none.
        package var minutes: [Int64: UInt16] = [:]
        /// Gateways that claim too much, with their ears. By that they decide nothing; an operator may want to know.
        package var disbelieved: Set<Int64> = []
        /// Badge minutes that weren't compared, or not with all others, because their floor had too many subjects.
        package var leftOut = 0
    }

    /// A gateway of another floor that is the loudest in more than this share of a floor's badge minutes, near at least two of
    /// that floor's gateways, claims too much: nobody can be so near all of them.
    private static let greatestShare = 0.5
    private static let leastClaims = 5

    package init(receivers: [Int64: Receiver], fixed: Set<Int64>) {
        self.receivers = receivers
        self.fixed = fixed
    }

    /// The receivers that listened in a minute.
    package func floors(inMinute minute: Int) -> ListeningFloors {
        ListeningFloors(receivers.filter { $0.value.listening.listened(inMinute: minute) }.mapValues(\.place))
    }

    /// - Parameters:
    ///   - vectors: by subject, of everybody, as they are kept.
    ///   - floors: whose subjects are compared; `nil`: those of all.
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

    /// The floors on which somebody is, or may be, in some minute.
    package func floors(_ vectors: [Int64: BlockVectors]) -> Set<Int64> {
        Set(directions(vectors, subjects(vectors)).directions.lazy.joined().compactMap { $0?.floor })
    }

    /// The company of some subjects alone; what `result` gives of them.
    package func company(of wanted: Set<Int64>, _ vectors: [Int64: BlockVectors]) -> [Int64: BlockCompany] {
        let subjects = subjects(vectors)
        let all = directions(vectors, subjects)
        let indices = all.subjects.indices.filter { wanted.contains(all.subjects[$0]) }
        // Of floors that are full everything decides who is left out.
        let full = BlockComparison.fullFloors(all.directions).intersection(
            indices.flatMap { index in all.directions.compactMap { $0[index]?.floor } })
        // Of others' floors nothing has to be known.
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

    /// Everybody's directions.
    private struct Everybody {
        /// Those who were given, and behind them each again that may be on another floor in some minute.
        var subjects: [Int64]
        /// By minute, then by subject.
        var directions: [[AmplitudeVector?]]
        /// Whether a subject may be elsewhere: by minute, then by subject, of those who were given.
        var doubts: [[FloorDoubt?]]
    }

    private func directions(_ vectors: [Int64: BlockVectors], _ subjects: [Int64]) -> Everybody {
        let minutes = subjects.map { vectors[$0]?.minutes }
        var all = Everybody(subjects: subjects, directions: [], doubts: [])
        // By position: where a subject stands again.
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

    /// Receivers of gateways that claim to be the nearest to most of another floor.
    private func disbelieved(_ all: Everybody) -> Set<Int64> {
        struct Claim: Hashable {
            var gateway: Int64
            var floor: Int64
        }
        struct Claimed {
            /// Minutes by the gateway of that floor that was loudest there.
            var minutes: [Int64: Int] = [:]

            var total: Int { minutes.values.reduce(0, +) }
            /// Without the gateway whose word counts most: one that lies, with all its ears, puts nobody else in a bad light.
            var without: Int { total - (minutes.values.max() ?? 0) }
        }
        var claims: [Claim: Claimed] = [:]
        var onFloor: [Int64: Int] = [:]
        for directions in all.directions {
            // Where one gateway alone heard somebody near it, its word put them there.
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
