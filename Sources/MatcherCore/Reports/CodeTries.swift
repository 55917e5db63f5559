/// Limits on wrong verification codes, so that none can be guessed. Pure.
///
/// Only wrong codes count. A code in progress takes up a place until its result is known, because otherwise many codes
/// could be tried at once. Memory is bounded: when there are too many addresses, those that tried longest ago are
/// forgotten. Each process counts for itself, and from zero when it starts.
package struct CodeTries: Sendable {
    /// Maximum number of wrong codes per address in `period`.
    package static let perAddress = 5
    /// Maximum number of wrong short codes of all addresses in `period`. With a hundred codes open, one
    /// is guessed in 50,000 hours.
    package static let inAll = 20
    /// Number of seconds after which a wrong code is forgotten.
    package static let period: Int64 = 3600

    /// Times of wrong codes by address, in two generations: when the younger one is full, the older one is forgotten.
    private var younger: [String: [Int64]] = [:]
    private var older: [String: [Int64]] = [:]
    /// Times of wrong short codes.
    private var wrong: [Int64] = []
    /// Number of codes in progress by address, and of short ones in all.
    private var pending: [String: Int] = [:]
    private var pendingShort = 0
    private let capacity: Int

    /// - Parameter capacity: minimum number of addresses that are remembered; at most twice as many are.
    package init(capacity: Int = 10_000) { self.capacity = max(1, capacity) }

    /// Number of addresses that are remembered.
    package var count: Int { younger.count + older.count }

    /// Begins a try, which `end` must end unless it is refused.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: `nil`, or the number of seconds until the next try.
    package mutating func begin(_ form: VerificationCode.Form, by address: String, now: Int64) -> Int64? {
        let own = recent(of: address, now)
        if let wait = Self.wait(own, pending: pending[address] ?? 0, most: Self.perAddress, now) { return wait }
        if form == .short {
            wrong = Self.recent(wrong, now)
            if let wait = Self.wait(wrong, pending: pendingShort, most: Self.inAll, now) { return wait }
            pendingShort += 1
        }
        pending[address, default: 0] += 1
        return nil
    }

    /// Ends a try.
    ///
    /// - Parameters:
    ///   - isWrong: whether there was no such code.
    ///   - now: seconds since 1970.
    package mutating func end(_ form: VerificationCode.Form, by address: String, isWrong: Bool, now: Int64) {
        let others = (pending[address] ?? 0) - 1
        pending[address] = others > 0 ? others : nil
        if form == .short { pendingShort = max(0, pendingShort - 1) }
        guard isWrong else { return }
        if form == .short { wrong.append(now) }
        let times = recent(of: address, now) + [now]
        if younger.count >= capacity, younger[address] == nil {
            older = younger
            younger = [:]
        }
        younger[address] = times
    }

    private func recent(of address: String, _ now: Int64) -> [Int64] {
        Self.recent(younger[address] ?? older[address] ?? [], now)
    }

    /// Returns the times that still count. After the clock was set back, later times count as of now.
    private static func recent(_ times: [Int64], _ now: Int64) -> [Int64] {
        times.map { min($0, now) }.filter { now - $0 < period }
    }

    private static func wait(_ times: [Int64], pending: Int, most: Int, _ now: Int64) -> Int64? {
        if times.count >= most, let first = times.min() { return max(1, first + period - now) }
        // A try in progress ends soon, and may be right.
        return times.count + pending >= most ? 1 : nil
    }
}
