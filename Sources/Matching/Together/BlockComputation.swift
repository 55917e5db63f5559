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
        /// By subject; each pair is in it twice.
        public var company: [Int64: BlockCompany] = [:]
        /// Receivers that claim too much, and aren't believed in this block.
        public var disbelieved: Set<Int64> = []
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

    /// Subjects that could be heard in a minute, and their directions.
    private struct Minute {
        var subjects: [Int64] = []
        var directions: [AmplitudeVector] = []
    }

    public func result(_ vectors: [Int64: BlockVectors]) -> Result {
        let subjects = vectors.keys.filter { !fixed.contains($0) }.sorted()
        let (minutes, disbelieved) = minutes(vectors, subjects)
        var result = Result()
        result.disbelieved = disbelieved
        struct Pair: Hashable {
            var one: Int64
            var other: Int64
        }
        var pairs: [Pair: BlockLevels] = [:]
        for (number, minute) in minutes.enumerated() {
            var comparable = Minute()
            for (subject, direction) in zip(minute.subjects, minute.directions) where !direction.isAlone {
                comparable.subjects.append(subject)
                comparable.directions.append(direction)
                result.company[subject, default: BlockCompany()].setCompared(inMinute: number)
            }
            Self.forEachPair(comparable.directions) { one, other, level in
                pairs[Pair(one: comparable.subjects[one], other: comparable.subjects[other]), default: BlockLevels()][
                    number] = level
            }
        }
        for (pair, levels) in pairs {
            result.company[pair.one]?.set(levels, with: pair.other)
            result.company[pair.other]?.set(levels, with: pair.one)
        }
        return result
    }

    /// The directions of everybody in each minute, without the receivers that aren't believed. Nearly always there are none,
    /// so nothing is made twice.
    private func minutes(
        _ vectors: [Int64: BlockVectors], _ subjects: [Int64]
    ) -> (minutes: [Minute], disbelieved: Set<Int64>) {
        let all = minutes(vectors, subjects, without: [])
        let disbelieved = Self.disbelieved(all)
        return (disbelieved.isEmpty ? all : minutes(vectors, subjects, without: disbelieved), disbelieved)
    }

    private func minutes(
        _ vectors: [Int64: BlockVectors], _ subjects: [Int64], without disbelieved: Set<Int64>
    ) -> [Minute] {
        (0..<ReadingBlock.minutes).map { number in
            let floors = floors(inMinute: number, without: disbelieved)
            var minute = Minute()
            for subject in subjects {
                guard let vector = vectors[subject]?.minutes[number], !vector.isEmpty,
                    let direction = AmplitudeVector(vector, floors)
                else { continue }
                minute.subjects.append(subject)
                minute.directions.append(direction)
            }
            return minute
        }
    }

    /// The company of some subjects alone; what `result` gives of them.
    public func company(of subjects: Set<Int64>, _ vectors: [Int64: BlockVectors]) -> [Int64: BlockCompany] {
        var company: [Int64: BlockCompany] = [:]
        let everybody = vectors.keys.filter { !fixed.contains($0) }.sorted()
        for (number, minute) in minutes(vectors, everybody).minutes.enumerated() {
            for (subject, own) in zip(minute.subjects, minute.directions) {
                guard subjects.contains(subject), !own.isAlone else { continue }
                company[subject, default: BlockCompany()].setCompared(inMinute: number)
                for (other, direction) in zip(minute.subjects, minute.directions) where other != subject {
                    guard let similarity = own.similarity(to: direction) else { continue }
                    company[subject]?.set(SimilarityLevel(similarity), with: other, inMinute: number)
                }
            }
        }
        return company
    }

    /// Receivers that claim to be the nearest to most of another floor.
    private static func disbelieved(_ minutes: [Minute]) -> Set<Int64> {
        struct Claim: Hashable {
            var receiver: Int64
            var floor: Int64
        }
        var claims: [Claim: (minutes: Int, near: Set<Int64>)] = [:]
        var onFloor: [Int64: Int] = [:]
        for direction in minutes.lazy.flatMap(\.directions) {
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

    /// Calls `body` for each pair that looked alike, with the indices of the two, the smaller first.
    static func forEachPair(_ directions: [AmplitudeVector], _ body: (Int, Int, SimilarityLevel) -> Void) {
        // By receiver: whom it heard so far, and how loudly.
        var heard: [Int64: [(index: Int, amplitude: Int64)]] = [:]
        var dots = Array(repeating: Int64(0), count: directions.count)
        let least = SimilarityLevel.least * SimilarityLevel.least
        for (index, direction) in directions.enumerated() {
            var touched: [Int] = []
            for component in direction.components {
                for other in heard[component.receiver] ?? [] {
                    if dots[other.index] == 0 { touched.append(other.index) }
                    dots[other.index] += Int64(component.amplitude) * other.amplitude
                }
            }
            for other in touched {
                let dot = dots[other]
                dots[other] = 0
                let norms = direction.norm * directions[other].norm
                // Without a root for the many who are far apart.
                guard direction.floor == directions[other].floor,
                    Double(dot) * Double(dot) >= least * norms * (1 - 1e-9),
                    direction.components.count > 1 || directions[other].components.count > 1
                else { continue }
                let level = SimilarityLevel(
                    AmplitudeVector.similarity(dot: dot, direction.norm, directions[other].norm))
                if level > .none { body(other, index, level) }
            }
            for component in direction.components {
                heard[component.receiver, default: []].append((index, Int64(component.amplitude)))
            }
        }
    }
}
