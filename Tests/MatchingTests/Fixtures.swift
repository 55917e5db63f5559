import Matching

/// Minutes after 2026-11-02T08:00:00Z, in seconds since 1970.
func at(_ minutes: Int64) -> Int64 { 1_793_606_400 + minutes * 60 }

/// A distance in metres, known to a tenth of itself on both sides.
func near(_ metres: Double) -> Stay.Distance {
    .init(
        centimetres: Int64((metres * 100).rounded()), lower: Int64((metres * 90).rounded()),
        upper: Int64((metres * 110).rounded()))
}

/// A subject's stay from one minute to another.
func stay(
    _ subject: Int64, _ minutes: ClosedRange<Int64>, place: Int64 = 1, _ distance: Stay.Distance? = near(1)
) -> Stay {
    Stay(
        subject: subject, place: place, start: at(minutes.lowerBound), end: at(minutes.upperBound), distance: distance)
}

extension Policy {
    static func named(_ name: String) -> Policy {
        guard let policy = shipped(name) else { fatalError("no policy \(name)") }
        return policy
    }

    /// All encounters of subject 1, who is positive, with the others; two places are next to each other when that is said.
    func exposures(
        _ stays: [Stay], positive: PositiveCase = PositiveCase(reportType: .confirmed),
        separation: [Set<Int64>: Int64] = [:], fixed: Set<Int64> = []
    ) -> [Exposure] {
        Assessment(policy: self, positive: positive, own: [1], fixed: fixed)
            .exposures(encounters(stays, separation: separation))
    }

    func encounters(_ stays: [Stay], separation: [Set<Int64>: Int64] = [:]) -> [Encounter] {
        stays.filter { $0.subject == 1 }.flatMap { own in
            stays.compactMap { other in
                let apart = own.place == other.place ? 0 : separation[[own.place, other.place]]
                return apart.flatMap {
                    Encounter(positive: own, other: other, separation: $0, window: contact.window)
                }
            }
        }
    }
}
