import RealModule

/// Direction of a minute's vector: the distribution of a subject's signal over receivers.
///
/// A component is the amplitude 10^(RSSI / 20 dB), relative to the strongest. A subject's own offset (battery power,
/// antenna, the body beside it) multiplies all components alike and does not change the direction. A receiver with few
/// advertisements of the subject counts less: its component is multiplied by min(1, (n / greatest n) / 0.3).
///
/// Components are integers, so that sums do not depend on the order of receivers and are equal on every machine.
package struct AmplitudeVector: Equatable, Sendable {
    package struct Component: Equatable, Sendable {
        /// Number of the receiver in the store.
        package var receiver: Int64
        /// Amplitude, 0 to 32,768.
        package var amplitude: Int32
        /// Gateway of the receiver.
        var gateway: Int64
    }

    /// Components in the order of receiver numbers; never empty.
    package let components: [Component]
    /// Floor that the subject is assigned to.
    package let floor: Int64
    /// Whether only one receiver of the floor listened. Its subjects cannot be compared, because they all look alike.
    package let isAlone: Bool
    /// Receiver with the strongest signal overall, and the one on the subject's floor.
    package let loudest: Int64
    package let loudestOfFloor: Int64
    /// Number of receivers on the floor that received the subject.
    let receiversOfFloor: Int
    /// Whether two gateways of the floor received the subject at near level.
    let isNearTwo: Bool
    /// Sum of the squared amplitudes.
    let norm: Double
    /// Gateways of other floors with at least a hundredth of the power of the subject's floor.
    let foreign: [Int64]

    static let one: Double = 32_768
    /// Share of the most frequent receiver's count below which a receiver counts less.
    static let fullShare = 0.3

    /// Amplitudes by the number of level steps below the strongest.
    private static let amplitudes: [Int64] = (0..<1024).map { steps in
        Int64((one * Double.pow(10, -Double(steps) / Double(20 * HearingCode.stepsPerDecibel))).rounded())
    }

    /// Weights, out of 256, by the number of count steps below the greatest.
    private static let weights: [Int64] = (0..<64).map { steps in
        Int64((256 * min(1, Double.exp2(-Double(steps) / Double(HearingCode.stepsPerOctave)) / fullShare)).rounded())
    }

    /// Steps by which a floor's only gateway must be louder than all gateways of another floor: 10 dB.
    private static let aloneMargin = 10 * HearingCode.stepsPerDecibel
    /// Maximum power (sum of squared amplitudes) of a gateway of another floor, with all its remote receivers, as a
    /// share of the power on the subject's own floor. A ceiling attenuates about as much, so true values nearly always
    /// stay below the limit.
    private static let mostForeignShare = 0.1
    /// Share of power below which a gateway changes a similarity by less than a hundredth.
    private static let leastForeignShare = 0.01
    /// Maximum factor by which a similarity grows when one of these gateways is left out.
    static let greatestGain = 1 + mostForeignShare

    /// Signals of a subject in a minute, at receivers whose floor is known.
    private struct Reading {
        var heard: [Heard] = []
        var levels: [FloorLevels] = []
        var loudest: Int64 = 0

        /// Creates the reading.
        ///
        /// - Returns: `nil` when no receiver with a known floor received the subject.
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

    /// Creates the direction on the floor that the subject is assigned to.
    ///
    /// The subject is assigned to the floor whose second loudest gateway is the loudest. A gateway of another floor,
    /// with all its remote receivers, gets at most a tenth of the power on the subject's own floor. A dishonest gateway
    /// therefore turns a cosine c into no more than (c + 0.1) / 1.1 and no less than c / 1.1.
    ///
    /// A floor with one gateway has no second one. The subject is assigned to it when that gateway is the loudest by 10
    /// dB and no floor with several gateways received the subject at near level. Where every floor has one gateway, the
    /// loudest counts.
    ///
    /// - Returns: `nil` when no receiver with a known floor received the subject.
    package init?(_ vector: MinuteVector, _ floors: ListeningFloors) {
        guard let reading = Reading(vector, floors), let own = Self.main(reading.levels, floors) else { return nil }
        self.init(reading, own, floors)
    }

    /// Returns the direction on the assigned floor. Where a dishonest gateway can have decided the floor, also returns
    /// the directions on the other floors where the subject may be.
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
        // A level of another floor's gateway above the maximum of the subject's own floor counts as that maximum.
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

    /// Reduces the gateways of other floors that exceed their share of the power; each keeps its direction.
    ///
    /// - Returns: the gateways with enough power to matter.
    private static func limitForeign(_ amplitudes: inout [Int64], _ heard: [Heard], _ own: FloorLevels) -> [Int64] {
        var ownPower: Int64 = 0
        // There are few gateways, so a linear search is faster than a table.
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
        /// Logarithm of the count, in steps.
        var count: Int
    }

    /// Returns the similarity of two subjects at the receivers: the cosine of the angle between their vectors, 0 to 1.
    ///
    /// - Returns: `nil` when the two cannot be compared: they were on different floors, or fewer than two receivers of
    ///   their floor received either of them.
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

    /// Returns the similarity of two subjects that can be compared.
    ///
    /// Where two gateways of the floor received each subject at near level, the result is the maximum over leaving out
    /// each gateway of another floor in turn. No such gateway can then make two similar subjects appear different.
    /// Where fewer did, the data from other floors is too valuable to leave out: with one gateway per floor, the F1
    /// score of minutes together would fall by three hundredths. There a dishonest gateway turns a cosine c into no
    /// less than c / 1.1.
    ///
    /// - Parameter dot: the scalar product of the two vectors.
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
