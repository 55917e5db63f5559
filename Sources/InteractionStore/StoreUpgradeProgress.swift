/// What happens while the tables of an earlier version are upgraded.
package enum StoreUpgradeProgress: Equatable, Sendable {
    /// Another process upgrades the store, or replaces it by a backup; this one waits for it.
    case waiting
    case began(from: Int64, to: Int64)
    /// A step begins, which goes through a number of rows.
    case step(String, number: Int, of: Int, rows: Int)
    /// A part of a step is done.
    ///
    /// - Parameter seconds: estimated time until the step ends.
    case rows(Int, of: Int, seconds: Int)
    case finished(from: Int64, to: Int64, seconds: Double)

    /// Description in one line.
    package var text: String {
        switch self {
        case .waiting: "waiting for another process that upgrades or restores the store"
        case .began(let old, let new): "upgrading the store from schema version \(old) to \(new)"
        case .step(let what, let number, let all, let rows):
            "upgrade of the store: step \(number) of \(all), \(what)" + (rows > 0 ? ", \(rows) rows" : "")
        case .rows(let done, let all, let seconds):
            "upgrade of the store: \(done) of \(all) rows, about \(seconds) s left"
        case .finished(let old, let new, let seconds):
            "upgraded the store from schema version \(old) to \(new) in \(Int64((seconds * 1000).rounded())) ms"
        }
    }
}

/// Reports of a step that goes through many rows: at most one a second.
struct StoreUpgradePace {
    let total: Int
    private var done = 0
    private let start = ContinuousClock.now
    private var reported = ContinuousClock.now

    init(total: Int) { self.total = total }

    /// Counts a row that is about to be changed.
    ///
    /// - Returns: what to report now, if anything.
    mutating func next() -> StoreUpgradeProgress? {
        defer { done += 1 }
        guard done > 0, done % 256 == 0 else { return nil }
        let now = ContinuousClock.now
        guard now - reported >= .seconds(1) else { return nil }
        reported = now
        let left = Double((now - start).components.seconds + 1) / Double(done) * Double(total - done)
        return .rows(done, of: total, seconds: Int(left.rounded(.up)))
    }
}
