/// Times may be wrong where a gateway told of them whose clock wasn't synchronized. Every answer that is made of stays says it in
/// this way.
package enum ClockDoubt {
    /// In words, for people.
    package static let text = "a gateway's clock wasn't synchronized: the times may be wrong"

    /// Whether an answer about a time rests on any of some stays.
    ///
    /// - Parameters:
    ///   - unsynchronized: stays of whom the answer is about, told by clocks that weren't synchronized.
    ///   - places: that matter; all without.
    ///   - start: seconds since 1970.
    package static func concerns(
        _ unsynchronized: [Stay], at places: Set<Int64>? = nil, from start: Int64, to end: Int64
    ) -> Bool {
        unsynchronized.contains { stay in
            places?.contains(stay.place) ?? true && stay.start <= end && stay.end >= start
        }
    }

    /// Below a table: how many of its rows it concerns; `nil` when none.
    ///
    /// - Parameter one: what a row is, such as `exposure`.
    package static func note(of count: Int, _ one: String) -> String? {
        guard count > 0 else { return nil }
        return "of \(count) \(one)\(count == 1 ? "" : "s") a gateway's clock wasn't synchronized: "
            + "\(count == 1 ? "its" : "their") times may be wrong"
    }
}
