import Glibc

/// The direction of a minute's vector: how a subject's signal is spread over receivers.
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

    /// Components in the order of their receivers' numbers; not empty.
    public let components: [Component]
    /// The floor that the subject is taken to be on.
    public let floor: Int64
    /// Whether only one receiver of that floor listened. Then nothing can be compared: all subjects there are alike.
    public let isAlone: Bool
    /// The receiver that heard it loudest, and the one of its floor that did.
    public let loudest: Int64
    public let loudestOfFloor: Int64
    /// The sum of the squared amplitudes.
    let norm: Double

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

    /// Steps by which a floor's only receiver has to be louder than all of another floor: 10 dB.
    private static let aloneMargin = 10 * HearingCode.stepsPerDecibel
    /// Steps below the strongest to which receivers of other floors are taken down where nothing else says how loud they can
    /// be: 20 dB.
    private static let foreignMargin = 20 * HearingCode.stepsPerDecibel

    /// The subject is taken to be on the floor of which the second loudest receiver heard it loudest. One receiver alone can't
    /// move anybody to its floor, whatever it claims; and what receivers of other floors say is taken down to what that second
    /// receiver heard, so that none of them outweighs the subject's own floor.
    ///
    /// A floor with one receiver has no second one. The subject is there when that receiver heard it loudest by 10 dB.
    ///
    /// - Returns: `nil` when nobody whose floor is known heard the subject.
    public init?(_ vector: MinuteVector, _ floors: ListeningFloors) {
        var heard: [Heard] = []
        heard.reserveCapacity(vector.hearings.count)
        var levels: [FloorLevels] = []
        var (loudest, loudestFloor) = (-1, Int64(0))
        for hearing in vector.hearings {
            guard let floor = floors.floor(of: hearing.receiver) else { continue }
            let level = hearing.code.level
            heard.append(Heard(receiver: hearing.receiver, floor: floor, level: level, count: hearing.code.countSteps))
            if loudest < 0 || level > heard[loudest].level { (loudest, loudestFloor) = (heard.count - 1, floor) }
            if let index = levels.firstIndex(where: { $0.floor == floor }) {
                levels[index].add(level, receiver: hearing.receiver)
            } else {
                levels.append(FloorLevels(floor: floor, first: level, loudest: hearing.receiver))
            }
        }
        guard loudest >= 0 else { return nil }
        let best = levels.filter { floors.listening(on: $0.floor) > 1 }
            .max { ($0.second, $0.first, $1.floor) < ($1.second, $1.first, $0.floor) }
        var main = best?.floor ?? loudestFloor
        if floors.listening(on: loudestFloor) < 2, let best, heard[loudest].level >= best.first + Self.aloneMargin {
            main = loudestFloor
        }
        guard let own = levels.first(where: { $0.floor == main }) else { return nil }
        let limit = max(own.second, own.first - Self.foreignMargin)
        var (strongest, most) = (0, 0)
        for index in heard.indices {
            if heard[index].floor != main { heard[index].level = min(heard[index].level, limit) }
            strongest = max(strongest, heard[index].level)
            most = max(most, heard[index].count)
        }
        var components: [Component] = []
        components.reserveCapacity(heard.count)
        var squares: Int64 = 0
        for one in heard {
            let amplitude = Self.amplitudes[strongest - one.level] * Self.weights[most - one.count] / 256
            guard amplitude > 0 else { continue }
            components.append(Component(receiver: one.receiver, amplitude: Int32(amplitude)))
            squares += amplitude * amplitude
        }
        guard !components.isEmpty else { return nil }
        self.components = components
        floor = main
        isAlone = floors.listening(on: main) < 2
        self.loudest = heard[loudest].receiver
        loudestOfFloor = own.loudest
        norm = Double(squares)
    }

    private struct Heard {
        var receiver: Int64
        var floor: Int64
        var level: Int
        /// Of the count's logarithm.
        var count: Int
    }

    /// The two loudest that receivers of a floor heard.
    private struct FloorLevels {
        var floor: Int64
        var first: Int
        var second = -1
        var loudest: Int64

        /// Of receivers that heard it equally loudly the first one counts.
        mutating func add(_ level: Int, receiver: Int64) {
            if level > first {
                (first, second, loudest) = (level, first, receiver)
            } else {
                second = max(second, level)
            }
        }
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
