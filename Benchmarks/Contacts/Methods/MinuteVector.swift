import Glibc

/// What all receivers heard of a badge in a minute.
struct MinuteVector: Equatable, Sendable {
    struct Part: Equatable, Sendable {
        var gateway: Int
        /// The strongest of the minute is 1, before `MinuteVector` makes the sum of squares 1.
        var amplitude: Double
    }

    /// In the order of gateways; the sum of the squares of the amplitudes is 1, or there are none.
    private(set) var parts: [Part]
    /// The one with the greatest mean; `nil`: nothing was heard.
    private(set) var strongest: Int?

    /// Who hears less than this share of the packets of the one that hears most counts less.
    private static let often = 0.3

    /// - Parameter heard: by gateway, in their order.
    init(_ heard: [(gateway: Int, cell: MinuteTally.Cell)]) {
        let greatest = heard.map(\.cell.mean).max() ?? 0
        let most = Double(heard.map(\.cell.count).max() ?? 1)
        strongest = heard.first { $0.cell.mean == greatest }?.gateway
        parts = heard.map { gateway, cell in
            let share = min(1, Double(cell.count) / most / Self.often)
            return Part(gateway: gateway, amplitude: share * pow(10, (cell.mean - greatest) / 20))
        }
        let length = parts.reduce(0) { $0 + $1.amplitude * $1.amplitude }.squareRoot()
        for index in parts.indices { parts[index].amplitude /= length }
    }

    /// 0 of vectors without a gateway in common, 1 of equal ones; `nil` when both know one and the same gateway alone, which
    /// says no more than where they are.
    func cosine(_ other: Self) -> Double? {
        guard parts.count > 1 || other.parts.count > 1 || parts.first?.gateway != other.parts.first?.gateway else {
            return nil
        }
        var sum = 0.0
        var (mine, its) = (0, 0)
        while mine < parts.count, its < other.parts.count {
            if parts[mine].gateway == other.parts[its].gateway {
                sum += parts[mine].amplitude * other.parts[its].amplitude
                (mine, its) = (mine + 1, its + 1)
            } else if parts[mine].gateway < other.parts[its].gateway {
                mine += 1
            } else {
                its += 1
            }
        }
        return sum
    }
}
