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

    /// A receiver that is the loudest of so many subjects, and of this share of them without being borne out by its floor, isn't
    /// believed.
    private static let leastClaims = 5
    private static let greatestShare = 0.2

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
        let subjects = vectors.keys.filter { !fixed.contains($0) }.sorted()
        result.disbelieved = disbelieved(vectors, subjects)
        for minute in 0..<ReadingBlock.minutes {
            let floors = floors(inMinute: minute, without: result.disbelieved)
            var present: [Int64] = []
            var directions: [AmplitudeVector] = []
            for subject in subjects {
                guard let vector = vectors[subject]?.minutes[minute], !vector.isEmpty,
                    let direction = AmplitudeVector(vector, floors), !direction.isAlone
                else { continue }
                present.append(subject)
                directions.append(direction)
                result.company[subject, default: BlockCompany()].setCompared(inMinute: minute)
            }
            Self.forEachPair(directions) { one, other, level in
                result.company[present[one], default: BlockCompany()].set(level, with: present[other], inMinute: minute)
                result.company[present[other], default: BlockCompany()].set(level, with: present[one], inMinute: minute)
            }
        }
        return result
    }

    /// The company of some subjects alone; what `result` gives of them.
    public func company(of subjects: Set<Int64>, _ vectors: [Int64: BlockVectors]) -> [Int64: BlockCompany] {
        var company: [Int64: BlockCompany] = [:]
        let everybody = vectors.keys.filter { !fixed.contains($0) }.sorted()
        let disbelieved = disbelieved(vectors, everybody)
        for minute in 0..<ReadingBlock.minutes {
            let floors = floors(inMinute: minute, without: disbelieved)
            var directions: [Int64: AmplitudeVector] = [:]
            func direction(_ subject: Int64) -> AmplitudeVector? {
                vectors[subject].flatMap { AmplitudeVector($0.minutes[minute], floors) }
            }
            for subject in subjects where !fixed.contains(subject) {
                guard let own = direction(subject), !own.isAlone else { continue }
                company[subject, default: BlockCompany()].setCompared(inMinute: minute)
                for other in everybody where other != subject {
                    guard let one = directions[other] ?? direction(other) else { continue }
                    directions[other] = one
                    guard let similarity = own.similarity(to: one) else { continue }
                    company[subject]?.set(SimilarityLevel(similarity), with: other, inMinute: minute)
                }
            }
        }
        return company
    }

    /// Receivers whose claims to have heard somebody loudest are mostly borne out by nobody.
    private func disbelieved(_ vectors: [Int64: BlockVectors], _ subjects: [Int64]) -> Set<Int64> {
        var claims: [Int64: (all: Int, alone: Int)] = [:]
        for minute in 0..<ReadingBlock.minutes {
            let floors = floors(inMinute: minute)
            for subject in subjects {
                guard let vector = vectors[subject]?.minutes[minute], !vector.isEmpty,
                    let direction = AmplitudeVector(vector, floors)
                else { continue }
                for receiver in direction.uncorroborated {
                    claims[receiver, default: (0, 0)].all += 1
                    claims[receiver, default: (0, 0)].alone += 1
                }
                if let loudest = direction.components.max(by: { $0.amplitude < $1.amplitude }) {
                    claims[loudest.receiver, default: (0, 0)].all += 1
                }
            }
        }
        return Set(
            claims.filter {
                $0.value.alone >= Self.leastClaims
                    && Double($0.value.alone) > Self.greatestShare * Double($0.value.all)
            }.keys)
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
                guard Double(dot) * Double(dot) >= least * norms * (1 - 1e-9),
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
