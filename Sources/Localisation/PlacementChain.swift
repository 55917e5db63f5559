import BeaconModel
import FloorPlans
import RealModule

/// Positions and gains of a building's receivers, as they are sampled.
struct PlacementChain {
    /// Receivers whose positions are wanted, by index.
    var targets: [Int] = []
    private let settings: PlacementSettings
    private let links: MutualLinks
    private let floors: [Int]
    /// Logarithm of the prior probability of each candidate, for receivers without a position.
    private let logPriors: [[Float]]
    /// Point of each receiver on its floor; `nil` while it is unknown.
    private var points: [Int?]
    /// Gain of each receiver above the mean in dB.
    private var gains: [Double]
    /// Mean gain in dB.
    private var meanGain = 0.0
    /// Present loss of each link in dB.
    private var losses: [Double]
    /// Points of receivers with known positions.
    private let known: [Int?]

    init(
        _ receivers: [PlacementReceiver], _ links: MutualLinks, _ plans: [FloorPlan], _ points: inout PlacementPoints,
        _ settings: PlacementSettings
    ) {
        self.settings = settings
        self.links = links
        floors = receivers.map(\.floor)
        var known: [Int?] = []
        for receiver in receivers {
            known.append(receiver.position.map { points.add($0, height: receiver.height, on: receiver.floor) })
        }
        self.known = known
        let outside = Float(Double.log(settings.outsideClaim))
        let candidates = points.candidates
        logPriors = receivers.map { receiver in
            guard receiver.position == nil else { return [] }
            let claimed = plans[receiver.floor].rooms.firstIndex { $0.name == receiver.room }
            return candidates[receiver.floor].map { candidate in
                candidate.logPrior + (claimed == nil || claimed == Int(candidate.room) ? 0 : outside)
            }
        }
        self.points = known
        gains = Array(repeating: 0, count: receivers.count)
        losses = Array(repeating: 0, count: links.links.count)
        for (index, link) in links.links.enumerated() {
            guard let first = known[link.first], let second = known[link.second] else { continue }
            losses[index] = points.loss(first, on: floors[link.first], second, on: floors[link.second])
        }
    }

    /// Returns the prior probabilities of a receiver's candidates, up to a common factor.
    func prior(of receiver: Int) -> [Double] { logPriors[receiver].map { .exp(Double($0)) } }

    /// Runs all searches, and returns weights of the candidates by target.
    mutating func run(_ points: inout PlacementPoints, seed: UInt64) -> [Int: [Double]] {
        guard !targets.isEmpty else { return [:] }
        let perSweep = targets.reduce(0.0) {
            $0 + Double(logPriors[$1].count * (1 + links.neighbours[$1].count + links.silent[$1].count))
        }
        let affordable = Int(settings.mostSteps / perSweep) / settings.chains
        let warmUp = min(settings.warmUp, max(Self.leastSweeps, affordable / 2))
        let sweeps = min(settings.sweeps, max(Self.leastSweeps, affordable / 2))
        var results: [(score: Double, weights: [Int: [Double]])] = []
        for chain in 0..<settings.chains {
            var random = SplitMix64(seed: seed &+ UInt64(chain) &* 0x9E37_79B9)
            results.append(search(&points, warmUp: warmUp, sweeps: sweeps, &random))
        }
        let best = results.map(\.score).max() ?? 0
        var total: [Int: [Double]] = [:]
        for result in results where result.score >= best - Self.tolerance {
            for (target, weights) in result.weights {
                guard let sum = total[target] else {
                    total[target] = weights
                    continue
                }
                total[target] = zip(sum, weights).map { $0 + $1 }
            }
        }
        return total
    }

    private static let leastSweeps = 10
    /// Difference of the mean logarithm of the probability by which a search may be worse than the best one and still
    /// counts: all but the best are where they ended by chance.
    private static let tolerance = 8.0
    /// Sharpness of the probabilities at the beginning of a search.
    private static let firstSharpness = 0.1

    private mutating func search(
        _ table: inout PlacementPoints, warmUp: Int, sweeps: Int, _ random: inout SplitMix64
    ) -> (score: Double, weights: [Int: [Double]]) {
        points = known
        gains = gains.map { _ in 0 }
        meanGain = 0
        var sums = targets.map { logPriors[$0].map { _ in 0.0 } }
        var score = 0.0
        for sweep in 0..<(warmUp + sweeps) {
            let sharpness =
                sweep < warmUp
                ? Self.firstSharpness + (1 - Self.firstSharpness) * Double(sweep) / Double(max(1, warmUp)) : 1
            // At first, each one is placed by those that are placed already.
            let order = sweep == 0 ? targets.indices.shuffled(using: &random) : Array(targets.indices)
            for place in order {
                draw(targets[place], sharpness, &table, &random) { candidate, probability in
                    if sweep >= warmUp { sums[place][candidate] += probability }
                }
            }
            drawGains(sharpness, &random)
            if sweep >= warmUp { score += logProbability / Double(sweeps) }
        }
        return (score, Dictionary(uniqueKeysWithValues: zip(targets, sums)))
    }

    /// RSSI of a link less everything but the loss and both receivers' gains, in dB.
    private func excess(_ link: MutualLinks.Link) -> Double {
        link.level - settings.radio.referencePower - 2 * meanGain
    }

    private var inverseGainVariance: Double { 1 / (settings.gainDeviation * settings.gainDeviation) }

    /// Draws the position and then the gain of a receiver.
    private mutating func draw(
        _ receiver: Int, _ sharpness: Double, _ table: inout PlacementPoints, _ random: inout SplitMix64,
        _ take: (Int, Double) -> Void
    ) {
        let floor = floors[receiver]
        let count = logPriors[receiver].count
        var first = [Float](repeating: 0, count: count)
        var second = first
        var weight = 0.0
        for (index, other) in links.neighbours[receiver] {
            guard let point = points[other] else { continue }
            let link = links.links[index]
            let share = link.weight * sharpness
            weight += share
            table.prepare(from: point, on: floors[other], to: floor)
            let (base, factor) = (Float(excess(link) - gains[other]), Float(share))
            first.withUnsafeMutableBufferPointer { first in
                second.withUnsafeMutableBufferPointer { second in
                    table.withLosses(from: point, on: floors[other], to: floor) { losses in
                        for candidate in 0..<count {
                            let residual = base + losses[candidate]
                            let weighted = factor * residual
                            first[candidate] += weighted
                            second[candidate] += weighted * residual
                        }
                    }
                }
            }
        }
        let silence = silence(of: receiver, sharpness, &table)
        let inverse = Float(1 / (weight + inverseGainVariance))
        var most = -Float.infinity
        for candidate in 0..<count {
            let value =
                logPriors[receiver][candidate] - silence[candidate]
                - (second[candidate] - first[candidate] * first[candidate] * inverse) / 2
            second[candidate] = value
            most = max(most, value)
        }
        var total: Float = 0
        for candidate in 0..<count {
            let value = Float.exp(second[candidate] - most)
            second[candidate] = value
            total += value
        }
        var rest = Float(random.uniform()) * total
        var chosen = count - 1
        var isChosen = false
        let scale = 1 / Double(total)
        for candidate in 0..<count {
            take(candidate, Double(second[candidate]) * scale)
            rest -= second[candidate]
            if rest <= 0, !isChosen { (chosen, isChosen) = (candidate, true) }
        }
        points[receiver] = chosen
        gains[receiver] =
            Double(first[chosen] * inverse) + random.normal() * Double(inverse).squareRoot()
        for (index, other) in links.neighbours[receiver] {
            guard let point = points[other] else { continue }
            table.withLosses(from: point, on: floors[other], to: floor) { losses[index] = Double($0[chosen]) }
        }
    }

    /// Returns what speaks against each candidate because neither the receiver nor the other one hears anything.
    private func silence(of receiver: Int, _ sharpness: Double, _ table: inout PlacementPoints) -> [Float] {
        let floor = floors[receiver]
        var sums = [Float](repeating: 0, count: logPriors[receiver].count)
        for other in links.silent[receiver] {
            guard let point = points[other] else { continue }
            table.prepare(from: point, on: floor, to: floor)
            let base = Float(settings.radio.referencePower + 2 * meanGain + gains[other] - settings.radio.surelyUnheard)
            let (factor, most) = (Float(silenceWeight * sharpness / 2), settings.mostSilence * Float(sharpness))
            sums.withUnsafeMutableBufferPointer { sums in
                table.withLosses(from: point, on: floor, to: floor) { losses in
                    for candidate in sums.indices {
                        let excess = max(0, base - losses[candidate])
                        sums[candidate] += min(most, factor * excess * excess)
                    }
                }
            }
        }
        return sums
    }

    /// Inverse variance of the level of a silent pair in 1/dB²: of its shadow and of the receiver's own gain.
    private var silenceWeight: Double {
        settings.temper
            / (settings.radio.deviation * settings.radio.deviation + settings.gainDeviation * settings.gainDeviation)
    }

    /// Draws the gains of receivers with known positions, and the mean gain.
    private mutating func drawGains(_ sharpness: Double, _ random: inout SplitMix64) {
        for receiver in gains.indices where known[receiver] != nil {
            var (weight, sum) = (inverseGainVariance, 0.0)
            for (index, other) in links.neighbours[receiver] where points[other] != nil {
                let link = links.links[index]
                weight += link.weight * sharpness
                sum += link.weight * sharpness * (excess(link) + losses[index] - gains[other])
            }
            gains[receiver] = sum / weight + random.normal() / weight.squareRoot()
        }
        var (weight, sum) = (1 / (settings.meanGainDeviation * settings.meanGainDeviation), 0.0)
        for (index, link) in links.links.enumerated() where points[link.first] != nil && points[link.second] != nil {
            let residual =
                link.level - settings.radio.referencePower + losses[index] - gains[link.first] - gains[link.second]
            weight += 4 * link.weight * sharpness
            sum += 2 * link.weight * sharpness * residual
        }
        meanGain = sum / weight + random.normal() / weight.squareRoot()
    }

    /// Logarithm of the probability of the present positions and gains, up to a constant.
    private var logProbability: Double {
        var sum = 0.0
        for (index, link) in links.links.enumerated() where points[link.first] != nil && points[link.second] != nil {
            let residual = excess(link) + losses[index] - gains[link.first] - gains[link.second]
            sum -= link.weight * residual * residual / 2
        }
        for target in targets {
            if let point = points[target] { sum += Double(logPriors[target][point]) }
        }
        return gains.reduce(sum) { $0 - $1 * $1 * inverseGainVariance / 2 }
    }
}
