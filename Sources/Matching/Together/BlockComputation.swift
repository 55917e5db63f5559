/// Finds who looked alike in a block of 15 minutes, from the vectors of everybody in a building.
///
/// Only pairs that share a receiver are compared. The same vectors give the same answer, in whatever order they are given.
public struct BlockComputation: Sendable {
    /// Receivers of the building, with what is known of each.
    private let receivers: [Int64: Receiver]
    /// Subjects that hang somewhere: they are nobody's company.
    private let fixed: Set<Int64>

    public struct Receiver: Equatable, Sendable {
        /// Any number that the receivers of one floor have in common.
        public var floor: Int64
        public var listening: BlockListening

        public init(floor: Int64, listening: BlockListening) {
            self.floor = floor
            self.listening = listening
        }
    }

    public struct Result: Equatable, Sendable {
        /// By subject; each pair is in it twice. Who could be compared in no minute isn't in it.
        public var company: [Int64: BlockCompany] = [:]
        /// Receivers that claim too much, and aren't believed in this block.
        public var disbelieved: Set<Int64> = []
        /// Badge minutes that weren't compared, because their floor had too many subjects.
        public var leftOut = 0
    }

    /// A receiver of another floor that is the loudest in more than this share of a floor's badge minutes, and near at least so
    /// many of that floor's receivers, isn't believed: nobody can be so near all of them.
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
                .mapValues(\.floor))
    }

    public func result(_ vectors: [Int64: BlockVectors]) -> Result {
        var result = Result()
        let subjects = subjects(vectors)
        let (directions, disbelieved) = directions(vectors, subjects)
        let comparison = BlockComparison(subjects, directions)
        var scratch = comparison.scratch
        for (index, subject) in subjects.enumerated() {
            let company = comparison.company(of: index, &scratch)
            if !company.isEmpty { result.company[subject] = company }
        }
        result.disbelieved = disbelieved
        result.leftOut = comparison.leftOut
        return result
    }

    /// The company of some subjects alone; what `result` gives of them.
    public func company(of wanted: Set<Int64>, _ vectors: [Int64: BlockVectors]) -> [Int64: BlockCompany] {
        let subjects = subjects(vectors)
        let comparison = BlockComparison(subjects, directions(vectors, subjects).directions, of: wanted)
        var scratch = comparison.scratch
        var company: [Int64: BlockCompany] = [:]
        for (index, subject) in subjects.enumerated() where wanted.contains(subject) {
            let own = comparison.company(of: index, &scratch)
            if !own.isEmpty { company[subject] = own }
        }
        return company
    }

    private func subjects(_ vectors: [Int64: BlockVectors]) -> [Int64] {
        vectors.keys.filter { !fixed.contains($0) }.sorted()
    }

    /// By minute, then by subject.
    private typealias Directions = [[AmplitudeVector?]]

    /// Everybody's directions, without the receivers that aren't believed. Nearly always there are none, so nothing is made
    /// twice.
    private func directions(
        _ vectors: [Int64: BlockVectors], _ subjects: [Int64]
    ) -> (directions: Directions, disbelieved: Set<Int64>) {
        let all = directions(vectors, subjects, without: [])
        let disbelieved = Self.disbelieved(all)
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

    /// Receivers that claim to be the nearest to most of another floor.
    private static func disbelieved(_ directions: Directions) -> Set<Int64> {
        struct Claim: Hashable {
            var receiver: Int64
            var floor: Int64
        }
        var claims: [Claim: (minutes: Int, near: Set<Int64>)] = [:]
        var onFloor: [Int64: Int] = [:]
        for direction in directions.lazy.joined().compactMap({ $0 }) {
            onFloor[direction.floor, default: 0] += 1
            guard direction.loudest != direction.loudestOfFloor else { continue }
            let claim = Claim(receiver: direction.loudest, floor: direction.floor)
            claims[claim, default: (0, [])].minutes += 1
            claims[claim]?.near.insert(direction.loudestOfFloor)
        }
        return Set(
            claims.filter { claim, value in
                value.minutes >= leastClaims && value.near.count >= leastReceivers
                    && Double(value.minutes) > greatestShare * Double(onFloor[claim.floor] ?? 0)
            }.map(\.key.receiver))
    }
}
