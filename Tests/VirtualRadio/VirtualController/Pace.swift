/// How many of something are due, at a rate that is kept on average.
struct Pace {
    /// In milliseconds: short enough that a burst fits into any buffer.
    static let step = 5

    /// A second.
    let rate: Int
    private var begun: Int
    private var taken = 0

    /// - Parameter now: in milliseconds, as `monotonicMilliseconds` counts them.
    init(rate: Int, now: Int) {
        self.rate = rate
        begun = now
    }

    /// In milliseconds; in the past as long as something is due.
    var nextAt: Int { max(time(of: taken + 1), time(of: taken) + Self.step) }

    /// When so many are due, rounded up.
    private func time(of count: Int) -> Int { begun + (count * 1000 + rate - 1) / rate }

    func due(at now: Int) -> Int { max(0, (now - begun) * rate / 1000 - taken) }

    mutating func take(_ count: Int) { taken += count }

    /// Forgets what is late by more than a second, and says how many.
    mutating func forgetTheLate(at now: Int) -> Int {
        let late = due(at: now) - rate
        guard late > 0 else { return 0 }
        taken += late
        return late
    }
}
