import RealModule

/// The direction of a minute's vector: how a subject's signal is spread over receivers.
///
/// A component is the amplitude 10^(RSSI / 20 dB), relative to the strongest. A subject's own offset (the power of its battery,
/// its antenna, the body beside it) multiplies all components alike, so the direction doesn't depend on it. A receiver that
/// heard the subject rarely counts less: its component is multiplied by min(1, (n / greatest n) / 0.3).
///
/// Components are integers, so that sums don't depend on the order of receivers and every machine finds the same.
package struct AmplitudeVector: Equatable, Sendable {
    package struct Component: Equatable, Sendable {
        /// The receiver's number in the store.
        package var receiver: Int64
        /// 0 to 32,768.
        package var amplitude: Int32
        /// The receiver's gateway.
        var gateway: Int64
    }

    /// Components in the order of their receivers' numbers; not empty.
    package let components: [Component]
    /// The floor that the subject is taken to be on.
    package let floor: Int64
    /// Whether only one receiver of that floor listened. Then nothing can be compared: all subjects there are alike.
    package let isAlone: Bool
    /// The receiver that heard it loudest, and the one of its floor that did.
    package let loudest: Int64
    package let loudestOfFloor: Int64
    /// How many receivers of that floor heard it.
    let receiversOfFloor: Int
    /// Whether two gateways of that floor heard it near them.
    let isNearTwo: Bool
    /// The sum of the squared amplitudes.
    let norm: Double
    /// Gateways of other floors that have a hundredth of it and more.
    let foreign: [Int64]

    static let one: Double = 32_768
    /// A receiver that heard less than this share of the most frequent one counts less.
    static let fullShare = 0.3

    /// The amplitude of a level that is so many steps below the strongest.
    private static let amplitudes: [Int64] = (0..<1024).map { steps in
        Int64((one * Double.pow(10, -Double(steps) / Double(20 * HearingCode.stepsPerDecibel))).rounded())
    }

    /// The weight, of 256, of a count that is so many steps below the greatest.
    private static let weights: [Int64] = (0..<64).map { steps in
        Int64((256 * min(1, Double.exp2(-Double(steps) / Double(HearingCode.stepsPerOctave)) / fullShare)).rounded())
    }

    /// Steps by which a floor's only gateway has to be louder than all of another floor: 10 dB.
    private static let aloneMargin = 10 * HearingCode.stepsPerDecibel
    /// The greatest power, the sum of squared amplitudes, that a gateway of another floor may have with all its ears: a share of
    /// what the subject's own floor has. A ceiling takes about as much, so the truth nearly always stays below it.
    private static let mostForeignShare = 0.1
    /// Those with less change a similarity by less than a hundredth.
    private static let leastForeignShare = 0.01
    /// The factor by which a similarity grows at most when one of them is left out.
    static let greatestGain = 1 + mostForeignShare

    /// What was heard of a subject in a minute, by receivers whose floor is known.
    private struct Reading {
        var heard: [Heard] = []
        var levels: [FloorLevels] = []
        var loudest: Int64 = 0

        /// - Returns: `nil` when nobody whose floor is known heard the subject.
        init?(_ vector: MinuteVector, _ floors: ListeningFloors) {
            heard.reserveCapacity(vector.hearings.count)
            var loudest = -1
            for hearing in vector.hearings {
                guard let place = floors.place(of: hearing.receiver) else { continue }
                let level = hearing.code.level
                heard.append(
                    Heard(receiver: hearing.receiver, place: place, level: level, count: hearing.code.countSteps))
                if loudest < 0 || level > heard[loudest].level { loudest = heard.count - 1 }
                levels.add(level, receiver: hearing.receiver, at: place)
            }
            guard loudest >= 0 else { return nil }
            self.loudest = heard[loudest].receiver
        }
    }

    /// The subject is taken to be on the floor of which the second loudest gateway heard it loudest, and a gateway of another
    /// floor has, with all its ears, at most a tenth of the power that the subject's own floor has. So one that lies makes of a
    /// cosine c no more than (c + 0.1) / 1.1 and no less than c / 1.1.
    ///
    /// A floor with one gateway has no second one. The subject is there when that gateway heard it loudest by 10 dB and no
    /// floor with several heard it near; where each floor has one gateway, the loudest counts.
    ///
    /// - Returns: `nil` when nobody whose floor is known heard the subject.
    package init?(_ vector: MinuteVector, _ floors: ListeningFloors) {
        guard let reading = Reading(vector, floors), let own = Self.main(reading.levels, floors) else { return nil }
        self.init(reading, own, floors)
    }

    /// The direction on the floor that the subject is taken to be on, and, where a gateway that lies can have decided that, those
    /// on the floors where it may be instead.
    static func all(
        _ vector: MinuteVector, _ floors: ListeningFloors
    ) -> (main: AmplitudeVector, alternatives: [AmplitudeVector], doubt: FloorDoubt?)? {
        guard let reading = Reading(vector, floors), let own = main(reading.levels, floors),
            let direction = AmplitudeVector(reading, own, floors)
        else { return nil }
        guard let doubt = FloorDoubt(reading.levels, on: own) else { return (direction, [], nil) }
        let alternatives = doubt.floors(but: own.floor).compactMap { floor in
            reading.levels.first { $0.floor == floor }.flatMap { AmplitudeVector(reading, $0, floors) }
        }
        return (direction, alternatives, doubt)
    }

    private init?(_ reading: Reading, _ own: FloorLevels, _ floors: ListeningFloors) {
        let heard = reading.heard
        let most = heard.reduce(0) { $1.place.floor == own.floor ? max($0, $1.count) : $0 }
        // Another floor's gateway that claims more than the subject's own floor heard counts as if it had heard as much.
        var amplitudes = heard.map { one in
            Self.amplitudes[max(0, own.first - one.level)] * Self.weights[max(0, most - one.count)] / 256
        }
        let foreign = reading.levels.count > 1 ? Self.limitForeign(&amplitudes, heard, own) : []
        var components: [Component] = []
        components.reserveCapacity(heard.count)
        var squares: Int64 = 0
        var receivers = 0
        for (one, amplitude) in zip(heard, amplitudes) where amplitude > 0 {
            components.append(
                Component(receiver: one.receiver, amplitude: Int32(amplitude), gateway: one.place.gateway))
            squares += amplitude * amplitude
            if one.place.floor == own.floor { receivers += 1 }
        }
        guard !components.isEmpty else { return nil }
        self.components = components
        floor = own.floor
        isAlone = floors.receivers(on: own.floor) < 2
        loudest = reading.loudest
        receiversOfFloor = receivers
        loudestOfFloor = own.loudest
        isNearTwo = own.second >= FloorDoubt.nearLevel
        norm = Double(squares)
        self.foreign = foreign
    }

    private static func main(_ levels: [FloorLevels], _ floors: ListeningFloors) -> FloorLevels? {
        let several = levels.filter { floors.gateways(on: $0.floor) > 1 }
            .max { ($0.second, $0.first, $1.floor) < ($1.second, $1.first, $0.floor) }
        let alone = levels.filter { floors.gateways(on: $0.floor) < 2 }
            .max { ($0.first, $1.floor) < ($1.first, $0.floor) }
        guard let several, let alone else { return several ?? alone }
        return several.first < FloorDoubt.nearLevel && alone.first >= several.first + aloneMargin ? alone : several
    }

    /// Takes down the gateways of other floors that have more than their share of the power; each keeps its direction.
    ///
    /// - Returns: those that have so much that they matter.
    private static func limitForeign(_ amplitudes: inout [Int64], _ heard: [Heard], _ own: FloorLevels) -> [Int64] {
        var ownPower: Int64 = 0
        // There are few gateways, so looking through them is faster than a table.
        var foreign: [(gateway: Int64, power: Int64)] = []
        for (one, amplitude) in zip(heard, amplitudes) {
            if one.place.floor == own.floor {
                ownPower += amplitude * amplitude
            } else if let index = foreign.firstIndex(where: { $0.gateway == one.place.gateway }) {
                foreign[index].power += amplitude * amplitude
            } else {
                foreign.append((one.place.gateway, amplitude * amplitude))
            }
        }
        let most = mostForeignShare * Double(ownPower)
        for one in foreign where Double(one.power) > most {
            let factor = (most / Double(one.power)).squareRoot()
            for index in heard.indices
            where heard[index].place.gateway == one.gateway && heard[index].place.floor != own.floor {
                amplitudes[index] = Int64(Double(amplitudes[index]) * factor)
            }
        }
        return foreign.filter { Double($0.power) >= leastForeignShare * Double(ownPower) }.map(\.gateway)
    }

    private struct Heard {
        var receiver: Int64
        var place: ListeningFloors.Place
        var level: Int
        /// Steps of the count's logarithm.
        var count: Int
    }

    /// How alike two subjects looked to the receivers: the cosine of the angle between their vectors, 0 to 1.
    ///
    /// - Returns: `nil` when the two can't be compared: they were on different floors, or fewer than two receivers of their
    ///   floor heard either of them.
    package func similarity(to other: AmplitudeVector) -> Double? {
        guard floor == other.floor, !isAlone, !other.isAlone, receiversOfFloor > 1 || other.receiversOfFloor > 1 else {
            return nil
        }
        var dot: Int64 = 0
        var (left, right) = (0, 0)
        while left < components.count, right < other.components.count {
            let (one, two) = (components[left], other.components[right])
            if one.receiver == two.receiver { dot += Int64(one.amplitude) * Int64(two.amplitude) }
            if one.receiver <= two.receiver { left += 1 }
            if two.receiver <= one.receiver { right += 1 }
        }
        return similarity(to: other, dot: dot)
    }

    /// The same of two that can be compared.
    ///
    /// Where two gateways of their floor heard each of them near, it is the greatest value that there is with each gateway of
    /// another floor left out in turn, so that none makes two unlike who aren't. Where fewer did, what gateways of other floors
    /// heard says too much to do without: with one gateway a floor the F1 score of minutes together would fall by three
    /// hundredths. There one that lies makes of a cosine c no less than c / 1.1.
    ///
    /// - Parameter dot: the scalar product of the two.
    func similarity(to other: AmplitudeVector, dot: Int64) -> Double {
        var greatest = Self.similarity(dot: dot, norm, other.norm)
        guard isNearTwo, other.isNearTwo else { return greatest }
        for gateway in foreign { greatest = max(greatest, similarity(to: other, dot: dot, without: gateway)) }
        for gateway in other.foreign where !foreign.contains(gateway) {
            greatest = max(greatest, similarity(to: other, dot: dot, without: gateway))
        }
        return greatest
    }

    private func similarity(to other: AmplitudeVector, dot: Int64, without gateway: Int64) -> Double {
        var (dot, own, others) = (dot, norm, other.norm)
        var right = 0
        for one in components where one.gateway == gateway {
            own -= Double(one.amplitude) * Double(one.amplitude)
            while right < other.components.count, other.components[right].receiver < one.receiver { right += 1 }
            guard right < other.components.count, other.components[right].receiver == one.receiver else { continue }
            dot -= Int64(one.amplitude) * Int64(other.components[right].amplitude)
        }
        for two in other.components where two.gateway == gateway {
            others -= Double(two.amplitude) * Double(two.amplitude)
        }
        return own > 0 && others > 0 ? Self.similarity(dot: dot, own, others) : 0
    }

    static func similarity(dot: Int64, _ norm: Double, _ other: Double) -> Double {
        Double(dot) / (norm * other).squareRoot()
    }
}
