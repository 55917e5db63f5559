/// Finds who looked alike in a block of 15 minutes, from the vectors of everybody in a building.
///
/// Only pairs that share a receiver are compared. The same vectors give the same answer, in whatever order they are given.
public struct BlockComputation: Sendable {
    /// Receivers of the building, with what is known of each.
    private let receivers: [Int64: Receiver]
    /// Subjects that hang somewhere: they are nobody's company.
    private let fixed: Set<Int64>

    public struct Receiver: Equatable, Sendable {
        public var place: ListeningFloors.Place
        public var listening: BlockListening

        public init(_ place: ListeningFloors.Place, listening: BlockListening) {
            self.place = place
            self.listening = listening
        }
    }

    public struct Result: Equatable, Sendable {
        /// By subject; each pair is in it twice. Who could be compared in no minute isn't in it.
        public var company: [Int64: BlockCompany] = [:]
        /// By subject: bits of the minutes in which it was on a floor that was asked about, or on none.
        public var minutes: [Int64: UInt16] = [:]
        /// Gateways that claim too much, with their ears.
        public var disbelieved: Set<Int64> = []
        /// Badge minutes that weren't compared, because their floor had too many subjects.
        public var leftOut = 0
    }

    /// A gateway of another floor that is the loudest in more than this share of a floor's badge minutes, near at least so many
    /// of that floor's receivers, claims too much: nobody can be so near all of them. It is reported and left out.
    private static let greatestShare = 0.5
    private static let leastReceivers = 3
    private static let leastClaims = 5

    public init(receivers: [Int64: Receiver], fixed: Set<Int64>) {
        self.receivers = receivers
        self.fixed = fixed
    }

    /// The receivers that listened in a minute.
    public func floors(inMinute minute: Int, without disbelieved: Set<Int64> = []) -> ListeningFloors {
        ListeningFloors(
            receivers.filter { !disbelieved.contains($0.key) && $0.value.listening.listened(inMinute: minute) }
                .mapValues(\.place))
    }

    /// - Parameters:
    ///   - vectors: by subject, of everybody, as they are kept.
    ///   - floors: whose subjects are compared; `nil`: those of all.
    public func result(_ vectors: [Int64: BlockVectors], on floors: Set<Int64>? = nil) -> Result {
        var result = Result()
        let subjects = subjects(vectors)
        let (directions, disbelieved) = believedDirections(vectors, subjects)
        let comparison = BlockComparison(subjects, directions) { _ in floors }
        for (index, (subject, company)) in zip(subjects, comparison.companies()).enumerated() {
            if !company.isEmpty { result.company[subject] = company }
            result.minutes[subject] = directions.enumerated().reduce(0) { bits, minute in
                let floor = minute.element[index]?.floor
                return floor.map { floors?.contains($0) ?? true } ?? true ? bits | 1 << UInt16(minute.offset) : bits
            }
        }
        result.disbelieved = disbelieved
        result.leftOut = comparison.leftOut
        return result
    }

    /// The floors on which somebody is in some minute.
    public func floors(_ vectors: [Int64: BlockVectors]) -> Set<Int64> {
        Set(believedDirections(vectors, subjects(vectors)).directions.lazy.joined().compactMap { $0?.floor })
    }

    /// The company of some subjects alone; what `result` gives of them.
    public func company(of wanted: Set<Int64>, _ vectors: [Int64: BlockVectors]) -> [Int64: BlockCompany] {
        let subjects = subjects(vectors)
        let indices = subjects.indices.filter { wanted.contains(subjects[$0]) }
        // Of others' floors nothing has to be known.
        let comparison = BlockComparison(subjects, believedDirections(vectors, subjects).directions) { directions in
            Set(indices.compactMap { directions[$0]?.floor })
        }
        var scratch = comparison.scratch
        var company: [Int64: BlockCompany] = [:]
        for index in indices {
            let own = comparison.company(of: index, &scratch)
            if !own.isEmpty { company[subjects[index]] = own }
        }
        return company
    }

    private func subjects(_ vectors: [Int64: BlockVectors]) -> [Int64] {
        vectors.keys.filter { !fixed.contains($0) }.sorted()
    }

    /// Everybody's directions, by minute, then by subject.
    private typealias Directions = [[AmplitudeVector?]]

    /// Without the gateways that aren't believed. Nearly always there are none, so nothing is made twice.
    private func believedDirections(
        _ vectors: [Int64: BlockVectors], _ subjects: [Int64]
    ) -> (directions: Directions, disbelieved: Set<Int64>) {
        let all = directions(vectors, subjects, without: [])
        let disbelieved = disbelieved(all)
        return (disbelieved.isEmpty ? all : directions(vectors, subjects, without: disbelieved), disbelieved)
    }

    private func directions(
        _ vectors: [Int64: BlockVectors], _ subjects: [Int64], without disbelieved: Set<Int64>
    ) -> Directions {
        let minutes = subjects.map { vectors[$0]?.minutes }
        return (0..<ReadingBlock.minutes).map { number in
            let floors = floors(inMinute: number, without: disbelieved)
            return minutes.map { minutes in
                guard let vector = minutes?[number], !vector.isEmpty else { return nil }
                return AmplitudeVector(vector, floors)
            }
        }
    }

    /// Receivers of gateways that claim to be the nearest to most of another floor.
    private func disbelieved(_ directions: Directions) -> Set<Int64> {
        struct Claim: Hashable {
            var gateway: Int64
            var floor: Int64
        }
        var claims: [Claim: (minutes: Int, near: Set<Int64>)] = [:]
        var onFloor: [Int64: Int] = [:]
        for direction in directions.lazy.joined().compactMap({ $0 }) {
            onFloor[direction.floor, default: 0] += 1
            guard direction.loudest != direction.loudestOfFloor,
                let gateway = receivers[direction.loudest]?.place.gateway
            else { continue }
            let claim = Claim(gateway: gateway, floor: direction.floor)
            claims[claim, default: (0, [])].minutes += 1
            claims[claim]?.near.insert(direction.loudestOfFloor)
        }
        let gateways = Set(
            claims.filter { claim, value in
                value.minutes >= Self.leastClaims && value.near.count >= Self.leastReceivers
                    && Double(value.minutes) > Self.greatestShare * Double(onFloor[claim.floor] ?? 0)
            }.map(\.key.gateway))
        return gateways.isEmpty ? [] : Set(receivers.filter { gateways.contains($0.value.place.gateway) }.keys)
    }
}
