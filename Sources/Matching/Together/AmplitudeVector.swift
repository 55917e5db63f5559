import Glibc

/// The direction of a minute's vector: how a subject's signal is spread over the receivers of one floor.
///
/// A component is the amplitude 10^(RSSI / 20 dB), relative to the strongest. A subject's own offset (the power of its battery,
/// its antenna, the body beside it) multiplies all components alike, so the direction doesn't depend on it. A receiver that
/// heard the subject rarely counts less: its component is multiplied by min(1, (n / greatest n) / 0.3).
///
/// Components are integers, so that sums don't depend on the order of receivers and every machine finds the same.
public struct AmplitudeVector: Equatable, Sendable {
    public struct Component: Equatable, Sendable {
        public var receiver: Int64
        /// 0 to 32,768.
        public var amplitude: Int32
    }

    /// By the receiver's number; not empty.
    public let components: [Component]
    /// The floor of its receivers.
    public let floor: Int64
    /// Whether only one receiver of that floor listened. Then nothing can be compared: all subjects there are alike.
    public let isAlone: Bool
    /// The sum of the squared amplitudes.
    let norm: Double
    /// Receivers that nobody bears out, see `init(_:_:)`.
    public let uncorroborated: [Int64]

    static let one: Double = 32_768
    /// A receiver that heard less than this share of the most frequent one counts less.
    static let fullShare = 0.3

    /// The amplitude of a level that is so many steps below the strongest.
    private static let amplitudes: [Int64] = (0..<1024).map { steps in
        Int64((one * pow(10, -Double(steps) / Double(20 * HearingCode.stepsPerDecibel))).rounded())
    }

    /// The weight, of 256, of a count that is so many steps below the greatest.
    private static let weights: [Int64] = (0..<64).map { steps in
        Int64((256 * min(1, exp2(-Double(steps) / Double(HearingCode.stepsPerOctave)) / fullShare)).rounded())
    }

    /// The subject is taken to be on the floor of the receiver that heard it loudest, and only receivers of that floor are
    /// compared: what comes through a ceiling is weak, and a receiver can claim something about its own floor only.
    ///
    /// A receiver's claim to have heard it loudest is passed over when nobody bears it out: two or more other receivers of the
    /// floor listened, none of them heard the subject, and three or more receivers of another floor did.
    ///
    /// - Returns: `nil` when nobody whose floor is known heard the subject.
    public init?(_ vector: MinuteVector, _ floors: ListeningFloors) {
        var candidates = vector.hearings.filter { floors.floor(of: $0.receiver) != nil }
        var uncorroborated: [Int64] = []
        while let strongest = candidates.max(by: { ($0.code.level, $1.receiver) < ($1.code.level, $0.receiver) }),
            let floor = floors.floor(of: strongest.receiver)
        {
            let here = candidates.filter { floors.floor(of: $0.receiver) == floor }
            if here.count == 1, floors.listening(on: floor) > 2, Self.isHeardElsewhere(candidates, floor, floors) {
                uncorroborated.append(strongest.receiver)
                candidates.removeAll { $0.receiver == strongest.receiver }
                continue
            }
            let most = here.map(\.code.countSteps).max() ?? 0
            components = here.compactMap { hearing in
                let amplitude =
                    Self.amplitudes[strongest.code.level - hearing.code.level]
                    * Self.weights[most - hearing.code.countSteps] / 256
                return amplitude > 0 ? Component(receiver: hearing.receiver, amplitude: Int32(amplitude)) : nil
            }
            guard !components.isEmpty else { return nil }
            self.floor = floor
            isAlone = floors.listening(on: floor) < 2
            norm = Double(components.reduce(Int64(0)) { $0 + Int64($1.amplitude) * Int64($1.amplitude) })
            self.uncorroborated = uncorroborated
            return
        }
        return nil
    }

    private static func isHeardElsewhere(_ hearings: [Hearing], _ floor: Int64, _ floors: ListeningFloors) -> Bool {
        var counts: [Int64: Int] = [:]
        for hearing in hearings {
            guard let other = floors.floor(of: hearing.receiver), other != floor else { continue }
            counts[other, default: 0] += 1
        }
        return counts.values.contains { $0 >= 3 }
    }

    /// How alike two subjects looked to the receivers: the cosine of the angle between their vectors, 0 to 1.
    ///
    /// - Returns: `nil` when the two can't be compared: they were on different floors, or fewer than two receivers were in
    ///   reach of them.
    public func similarity(to other: AmplitudeVector) -> Double? {
        guard floor == other.floor, !isAlone, !other.isAlone else { return nil }
        var (dot, inReach): (Int64, Int) = (0, 0)
        var (left, right) = (0, 0)
        while left < components.count, right < other.components.count {
            let (one, two) = (components[left], other.components[right])
            inReach += 1
            if one.receiver == two.receiver { dot += Int64(one.amplitude) * Int64(two.amplitude) }
            if one.receiver <= two.receiver { left += 1 }
            if two.receiver <= one.receiver { right += 1 }
        }
        inReach += components.count - left + other.components.count - right
        return inReach < 2 ? nil : Self.similarity(dot: dot, norm, other.norm)
    }

    static func similarity(dot: Int64, _ norm: Double, _ other: Double) -> Double {
        Double(dot) / (norm * other).squareRoot()
    }
}
