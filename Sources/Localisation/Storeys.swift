import FloorPlans

/// The ceilings that a signal crosses between two floors of a building.
///
/// A plan is a storey of its own, unless another plan lies beside it: half of a storey, or a wing whose storeys have
/// other heights. A signal then crosses the ceilings of one wing or those of the other, and never both. Each plan
/// therefore has a stack: the plans above and below it. Between two floors, the stack with fewer ceilings counts, since
/// the strongest path is the one that is heard. A building with one plan per storey has one stack, with all plans.
struct Storeys: Sendable {
    /// What a signal crosses between two floors.
    struct Crossing: Equatable, Sendable {
        /// Number of ceilings.
        var count = 0
        /// Attenuation of these ceilings in dB.
        var attenuation = 0.0
    }

    private let floors: Int
    private let crossings: [Crossing]

    /// Creates the storeys of a building.
    ///
    /// - Parameter grids: grids of the plans, which are needed only if plans lie beside each other.
    init(_ plans: [FloorPlan], grids: @autoclosure () -> [FloorGrid]) {
        let relations = Relations(plans, grids)
        // Of plans that begin together the highest comes first, so that a hall beside two storeys counts once.
        let order = plans.indices.sorted {
            (plans[$0].elevation, -plans[$0].height, $0) < (plans[$1].elevation, -plans[$1].height, $1)
        }
        let stacks = relations.stacks(order)
        floors = plans.count
        crossings = plans.indices.flatMap { one in
            plans.indices.map { other -> Crossing in
                if one == other { return Crossing() }
                let first = Self.crossing(stacks[one], plans, relations, between: one, and: other)
                let second = Self.crossing(stacks[other], plans, relations, between: one, and: other)
                let isFirst = (first.count, first.attenuation) <= (second.count, second.attenuation)
                return isFirst ? first : second
            }
        }
    }

    /// What a signal crosses between two floors, by their indices; the same in both directions.
    subscript(_ one: Int, _ other: Int) -> Crossing { crossings[one * floors + other] }

    /// Returns what a signal crosses in a stack, which is in the order of elevations.
    private static func crossing(
        _ stack: [Int], _ plans: [FloorPlan], _ relations: Relations, between one: Int, and other: Int
    ) -> Crossing {
        let low = min(plans[one].elevation, plans[other].elevation)
        let high = max(plans[one].elevation, plans[other].elevation)
        var crossing = Crossing()
        var last: (plan: Int, ceiling: Double)?
        // The ceiling between two floors is that of the lower one.
        for plan in stack where plans[plan].elevation >= low && plans[plan].elevation < high {
            let ceiling = plans[plan].ceilingAttenuation
            guard let first = last, relations.areBeside(first.plan, plan) else {
                crossing.count += 1
                crossing.attenuation += ceiling
                last = (plan, ceiling)
                continue
            }
            // A plan beside the last one, above or below the same floor: of both ceilings the one that takes more.
            crossing.attenuation += max(0, ceiling - first.ceiling)
            last = (first.plan, max(first.ceiling, ceiling))
        }
        return crossing
    }

    /// Which plans of a building lie over each other, and which beside each other.
    private struct Relations {
        private let count: Int
        private var overlapping: [Bool]
        private var beside: [Bool]

        /// Height in metres by which storeys over each other may overlap: heights are measured.
        private static let slack = 0.01
        /// Share of the smaller plan from which two plans lie over each other; outlines of wings share walls.
        private static let leastShare = 0.1
        /// Number of points of a plan that are compared, about.
        private static let samples = 500

        init(_ plans: [FloorPlan], _ grids: () -> [FloorGrid]) {
            count = plans.count
            overlapping = Array(repeating: true, count: plans.count * plans.count)
            beside = Array(repeating: false, count: plans.count * plans.count)
            var level: [(first: Int, second: Int)] = []
            for first in plans.indices {
                for second in plans.indices where second > first && Self.shareHeight(plans[first], plans[second]) {
                    level.append((first, second))
                }
            }
            guard !level.isEmpty else { return }
            let grids = grids()
            for first in plans.indices {
                for second in plans.indices where second > first {
                    let overlap = Self.overlap(grids[first], grids[second])
                    overlapping[first * count + second] = overlap
                    overlapping[second * count + first] = overlap
                }
            }
            for (first, second) in level
            where plans[first].elevation == plans[second].elevation || !overlapping[first * count + second] {
                beside[first * count + second] = true
                beside[second * count + first] = true
            }
        }

        func areBeside(_ one: Int, _ other: Int) -> Bool { beside[one * count + other] }

        /// Returns the stack of each plan: those over or under it, and others that lie beside none of these.
        ///
        /// The others are storeys of which a part is drawn.
        func stacks(_ order: [Int]) -> [[Int]] {
            if !beside.contains(true) { return Array(repeating: order, count: count) }
            return (0..<count).map { plan in
                let own = order.filter { overlapping[plan * count + $0] }
                return order.filter { other in
                    overlapping[plan * count + other] || !own.contains { areBeside($0, other) }
                }
            }
        }

        private static func shareHeight(_ one: FloorPlan, _ other: FloorPlan) -> Bool {
            let base = max(one.elevation, other.elevation)
            let top = min(one.elevation + one.height, other.elevation + other.height)
            return one.elevation == other.elevation || base < top - slack
        }

        private static func overlap(_ one: FloorGrid, _ other: FloorGrid) -> Bool {
            let (small, large) = area(one) <= area(other) ? (one, other) : (other, one)
            let step = max(1, small.inside.count / samples)
            var (shared, all) = (0, 0)
            for index in stride(from: 0, to: small.inside.count, by: step) {
                all += 1
                let point = small.center(of: Int(small.inside[index]))
                if let cell = large.index(of: point), large.rooms[cell] != FloorGrid.outside { shared += 1 }
            }
            return all > 0 && Double(shared) >= leastShare * Double(all)
        }

        private static func area(_ grid: FloorGrid) -> Double { Double(grid.inside.count) * grid.cell * grid.cell }
    }
}
