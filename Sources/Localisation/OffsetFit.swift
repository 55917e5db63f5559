import FloorPlans
import RealModule

/// Offsets of a building's receivers: how much more than others each reports.
///
/// They are learnt from how loudly receivers hear beacons at known positions. What a link measures is the model's level,
/// the beacon's power, the receiver's offset, and the shadow of the link, which no number of minutes makes smaller. All
/// have normal distributions around zero, so that a receiver with few links keeps a small offset.
package struct OffsetFit: Equatable, Sendable {
    /// Offsets in dB by the paths of receivers; their mean is zero.
    package let offsets: [String: Double]
    /// Number of links.
    package let links: Int
    /// Root mean square of what is not explained of links that were not learnt from, without and with offsets, in dB.
    package let errorBefore: Double
    package let errorAfter: Double

    /// Whether the offsets predict links that they were not learnt from better than no offsets.
    package var isImprovement: Bool { errorAfter < errorBefore * Self.leastImprovement }

    /// Standard deviations in dB: of the power of beacons, of offsets, and of the shadow of a link.
    private static let powerDeviation = 8.0
    private static let offsetDeviation = 4.0
    private static let linkDeviation = 6.0
    /// Greatest offset that is believed, in dB; more is a position that is wrong.
    private static let mostOffset = 10.0
    /// Number of links without which nothing is learnt.
    private static let leastLinks = 8
    private static let leastImprovement = 0.97
    private static let parts = 5
    private static let rounds = 30

    private struct Link {
        var beacon: Int
        var receiver: Int
        /// RSSI above that of the model in dB.
        var excess: Double
    }

    /// Learns offsets; `nil` if there are too few links.
    ///
    /// - Parameters:
    ///   - model: the building with all offsets zero.
    ///   - levels: how loudly receivers hear the beacons at each other's positions.
    package init?(_ model: BuildingModel, _ levels: [MutualLevel]) {
        let links = levels.sorted { ($0.beacon, $0.receiver) < ($1.beacon, $1.receiver) }.compactMap { level in
            Self.link(level, model)
        }
        guard links.count >= Self.leastLinks, Set(links.map(\.beacon)).count > 1 else { return nil }
        self.links = links.count
        offsets = Dictionary(
            uniqueKeysWithValues: Self.solve(links).offsets.map { (model.receivers[$0.key].path, $0.value) })
        var (before, after) = (0.0, 0.0)
        for part in 0..<Self.parts {
            let others = links.indices.filter { $0 % Self.parts != part }.map { links[$0] }
            let (with, without) = (Self.solve(others), Self.solve(others, hasOffsets: false))
            for index in links.indices where index % Self.parts == part {
                let link = links[index]
                let rest = link.excess - with.powers[link.beacon, default: 0] - with.offsets[link.receiver, default: 0]
                let plain = link.excess - without.powers[link.beacon, default: 0]
                after += rest * rest
                before += plain * plain
            }
        }
        errorBefore = (before / Double(links.count)).squareRoot()
        errorAfter = (after / Double(links.count)).squareRoot()
    }

    private static func link(_ level: MutualLevel, _ model: BuildingModel) -> Link? {
        guard let beacon = model.receiver(level.beacon), let receiver = model.receiver(level.receiver),
            beacon != receiver, level.rssi.isFinite, (-127...20).contains(level.rssi)
        else { return nil }
        guard let expected = model.expected(ofBeaconAt: beacon, by: receiver) else { return nil }
        return Link(beacon: beacon, receiver: receiver, excess: level.rssi - expected)
    }

    /// Returns the most probable powers and offsets, each in turn with the others as they are.
    private static func solve(
        _ links: [Link], hasOffsets: Bool = true
    ) -> (powers: [Int: Double], offsets: [Int: Double]) {
        let shadow = linkDeviation * linkDeviation
        var (powers, offsets) = ([Int: Double](), [Int: Double]())
        // The presets' reference power is no beacon's in particular.
        let mean = links.reduce(0) { $0 + $1.excess } / Double(max(1, links.count))
        for _ in 0..<rounds {
            powers = means(links, by: \.beacon, prior: shadow / (powerDeviation * powerDeviation)) {
                $0.excess - mean - offsets[$0.receiver, default: 0]
            }
            guard hasOffsets else { break }
            offsets = means(links, by: \.receiver, prior: shadow / (offsetDeviation * offsetDeviation)) {
                $0.excess - mean - powers[$0.beacon, default: 0]
            }
            let centre = offsets.values.reduce(0, +) / Double(max(1, offsets.count))
            offsets = offsets.mapValues { min(mostOffset, max(-mostOffset, $0 - centre)) }
        }
        return (powers.mapValues { $0 + mean }, offsets)
    }

    private static func means(
        _ links: [Link], by key: KeyPath<Link, Int>, prior: Double, _ value: (Link) -> Double
    ) -> [Int: Double] {
        var sums: [Int: (sum: Double, count: Double)] = [:]
        for link in links {
            sums[link[keyPath: key], default: (0, 0)].sum += value(link)
            sums[link[keyPath: key]]!.count += 1
        }
        return sums.mapValues { $0.sum / ($0.count + prior) }
    }
}
