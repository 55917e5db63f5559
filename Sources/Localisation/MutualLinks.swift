/// Pairs of receivers of which one hears the beacon of the other.
///
/// A level is the beacon's power, the receiver's offset and the loss between both. The loss is the same in both
/// directions. The mean of both directions has the sum of both receivers' gains: half of the sum of power and offset.
/// Half of the difference between both directions does not depend on positions at all. It gives each receiver's lean,
/// half of the difference between power and offset, by which a link in one direction is corrected.
struct MutualLinks: Sendable {
    /// A pair of receivers.
    struct Link: Sendable {
        /// Indices of the receivers.
        var first: Int
        var second: Int
        /// RSSI in dBm without both leans.
        var level: Double
        /// Inverse variance in 1/dB².
        var weight: Double
    }

    private(set) var links: [Link] = []
    /// Links of each receiver, with the other receiver, the strongest first.
    private(set) var neighbours: [[(link: Int, other: Int)]]
    /// Receivers of the same floor of which each receiver should hear something if they were near.
    private(set) var silent: [[Int]]

    /// Number of ceilings between two receivers up to which a link says something: two take more than all walls.
    private static let mostCeilings = 1

    /// Creates the links of a building's receivers. Levels of other receivers are ignored, and those of a receiver and its
    /// own beacon.
    ///
    /// - Parameters:
    ///   - levels: what receivers hear of each other's beacons; of two levels of one pair the one with more minutes counts.
    ///   - storeys: ceilings between the floors.
    init(
        _ levels: [MutualLevel], between receivers: [PlacementReceiver], storeys: Storeys, _ settings: PlacementSettings
    ) {
        neighbours = Array(repeating: [], count: receivers.count)
        silent = neighbours.map { _ in [] }
        let heard = Self.heard(levels, receivers, settings)
        let leans = Self.leans(heard, count: receivers.count, settings)
        for (pair, both) in heard.sorted(by: { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }) {
            let crossing = storeys[receivers[pair.first].floor, receivers[pair.second].floor]
            guard crossing.count <= Self.mostCeilings else { continue }
            let lean = leans[pair.first] - leans[pair.second]
            let level: Double
            switch (both.ofFirst, both.ofSecond) {
            case (let one?, let other?): level = (one + other) / 2
            case (let one?, nil): level = one - lean
            case (nil, let other?): level = other + lean
            case (nil, nil): continue
            }
            // Of a weak signal only the strongest packets are heard.
            let doubt = max(0, settings.surelyHeard - level) / 2
            let variance = settings.radio.deviation * settings.radio.deviation + doubt * doubt
            links.append(
                Link(first: pair.first, second: pair.second, level: level, weight: settings.temper / variance))
        }
        findSilence(heard, receivers, settings)
        keepStrongest(settings.mostLinks, count: receivers.count)
    }

    private struct Pair: Hashable {
        var first: Int
        var second: Int
    }

    /// Levels of a pair in dBm: of the first one's beacon at the second, and of the second one's at the first.
    private struct Both {
        var ofFirst: Double?
        var ofSecond: Double?
    }

    private static func heard(
        _ levels: [MutualLevel], _ receivers: [PlacementReceiver], _ settings: PlacementSettings
    ) -> [Pair: Both] {
        let indices = Dictionary(receivers.indices.map { (receivers[$0].path, $0) }) { first, _ in first }
        var best: [Pair: MutualLevel] = [:]
        var most: [Int: Int] = [:]
        for level in levels where level.minutes > 0 && (-127...20).contains(level.rssi) {
            guard let beacon = indices[level.beacon], let receiver = indices[level.receiver], beacon != receiver else {
                continue
            }
            most[beacon] = max(most[beacon] ?? 0, level.minutes)
            let way = Pair(first: beacon, second: receiver)
            if let known = best[way], (known.minutes, known.rssi) >= (level.minutes, level.rssi) { continue }
            best[way] = level
        }
        var heard: [Pair: Both] = [:]
        for (way, level) in best
        where Double(level.minutes) >= settings.leastShare * Double(most[way.first] ?? 0) {
            if way.first < way.second {
                heard[way, default: Both()].ofFirst = level.rssi
            } else {
                heard[Pair(first: way.second, second: way.first), default: Both()].ofSecond = level.rssi
            }
        }
        return heard
    }

    /// Returns half of the difference between power and offset of each receiver in dB, by least squares; 0 for receivers
    /// without links in both directions.
    private static func leans(_ heard: [Pair: Both], count: Int, _ settings: PlacementSettings) -> [Double] {
        var differences: [[(other: Int, difference: Double)]] = Array(repeating: [], count: count)
        for (pair, both) in heard.sorted(by: { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }) {
            guard let one = both.ofFirst, let other = both.ofSecond else { continue }
            differences[pair.first].append((pair.second, (one - other) / 2))
            differences[pair.second].append((pair.first, (other - one) / 2))
        }
        // The prior keeps leans of parts that have no link with each other near 0.
        let prior = Self.directionVariance / (settings.gainDeviation * settings.gainDeviation)
        var leans = Array(repeating: 0.0, count: count)
        for _ in 0..<Self.leanSteps {
            for index in 0..<count where !differences[index].isEmpty {
                let sum = differences[index].reduce(0) { $0 + leans[$1.other] + $1.difference }
                leans[index] = sum / (Double(differences[index].count) + prior)
            }
        }
        return leans
    }

    /// Variance of half of the difference between both directions of a link in dB², without the leans.
    private static let directionVariance = 2.0
    /// Steps of the least squares (Gauss and Seidel).
    private static let leanSteps = 50

    /// Finds the pairs of a floor of which neither hears the other, although a beacon is on the air and a receiver works.
    private mutating func findSilence(
        _ heard: [Pair: Both], _ receivers: [PlacementReceiver], _ settings: PlacementSettings
    ) {
        var hearers = Array(repeating: 0, count: receivers.count)
        var hears = Array(repeating: false, count: receivers.count)
        for (pair, both) in heard {
            if both.ofFirst != nil {
                hearers[pair.first] += 1
                hears[pair.second] = true
            }
            if both.ofSecond != nil {
                hearers[pair.second] += 1
                hears[pair.first] = true
            }
        }
        // Where many hear a beacon, the store keeps the loudest only.
        let isTelling = hearers.map { (1..<settings.mostHearers).contains($0) }
        for floor in Dictionary(grouping: receivers.indices, by: { receivers[$0].floor }).values {
            for first in floor {
                for second in floor where second > first && heard[Pair(first: first, second: second)] == nil {
                    guard isTelling[first] && hears[second] || isTelling[second] && hears[first] else { continue }
                    silent[first].append(second)
                    silent[second].append(first)
                }
            }
        }
        silent = silent.map { Array($0.prefix(Self.mostSilent)) }
    }

    /// Number of a receiver's silent pairs that count.
    private static let mostSilent = 40

    /// Keeps the links that are among the strongest of one of their receivers.
    private mutating func keepStrongest(_ most: Int, count: Int) {
        var ranked: [[Int]] = Array(repeating: [], count: count)
        for (index, link) in links.enumerated() {
            ranked[link.first].append(index)
            ranked[link.second].append(index)
        }
        func isStronger(_ one: Int, _ other: Int) -> Bool { (links[other].level, one) < (links[one].level, other) }
        let kept = Set(ranked.flatMap { $0.sorted(by: isStronger).prefix(most) })
        links = kept.sorted(by: isStronger).map { links[$0] }
        for (index, link) in links.enumerated() {
            neighbours[link.first].append((index, link.second))
            neighbours[link.second].append((index, link.first))
        }
    }
}
