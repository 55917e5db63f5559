/// The simplex method of J. A. Nelder and R. Mead, 1965.
enum Simplex {
    /// Returns the values of a minimum near a start.
    static func minimum(from start: [Double], _ cost: ([Double]) -> Double) -> [Double] {
        var points = [start]
        for index in start.indices {
            var point = start
            point[index] += index == 2 ? 0.2 : 1
            points.append(point)
        }
        var costs = points.map(cost)
        for _ in 0..<80 {
            let order = points.indices.sorted { costs[$0] < costs[$1] }
            points = order.map { points[$0] }
            costs = order.map { costs[$0] }
            let last = points.count - 1
            let middle = start.indices.map { index in
                points[..<last].reduce(0) { $0 + $1[index] } / Double(last)
            }
            func along(_ share: Double) -> [Double] {
                start.indices.map { middle[$0] + share * (points[last][$0] - middle[$0]) }
            }
            let reflected = along(-1)
            let reflectedCost = cost(reflected)
            if reflectedCost < costs[0] {
                let expanded = along(-2)
                let expandedCost = cost(expanded)
                (points[last], costs[last]) =
                    expandedCost < reflectedCost ? (expanded, expandedCost) : (reflected, reflectedCost)
            } else if reflectedCost < costs[last - 1] {
                (points[last], costs[last]) = (reflected, reflectedCost)
            } else {
                let contracted = along(0.5)
                let contractedCost = cost(contracted)
                if contractedCost < costs[last] {
                    (points[last], costs[last]) = (contracted, contractedCost)
                } else {
                    for index in 1...last {
                        points[index] = start.indices.map { (points[index][$0] + points[0][$0]) / 2 }
                        costs[index] = cost(points[index])
                    }
                }
            }
        }
        return points[costs.indices.min { costs[$0] < costs[$1] } ?? 0]
    }
}
