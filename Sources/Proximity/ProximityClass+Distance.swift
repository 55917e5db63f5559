import BeaconModel

extension ProximityClass {
    /// Creates the class of a distance by its median: near or immediate means within 3 m, immediate means within 0.5 m.
    init(_ distance: DistanceEstimate?) {
        switch distance?.metres {
        case nil: self = .unknown
        case let metres? where metres <= 0.5: self = .immediate
        case let metres? where metres <= 3: self = .near
        default: self = .far
        }
    }

    /// Returns the class that follows `self` for the present distance. The class changes only when another one applies
    /// with a probability of 0.6, so that a subject at the edge does not alternate.
    func next(_ posterior: LogNormal) -> ProximityClass {
        if self == .unknown { return ProximityClass(DistanceEstimate(posterior)) }
        let within3 = posterior.probability(within: 3)
        let within05 = posterior.probability(within: 0.5)
        let isNear = within3 >= (self == .near || self == .immediate ? 1 - Self.sure : Self.sure)
        let isImmediate = within05 >= (self == .immediate ? 1 - Self.sure : Self.sure)
        return isImmediate ? .immediate : isNear ? .near : .far
    }

    private static let sure = 0.6
}
