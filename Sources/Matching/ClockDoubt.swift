/// Doubt about times from a gateway whose clock was not synchronized. Every answer based on stays states it in this
/// way.
package enum ClockDoubt {
    /// Explanation for people.
    package static let text = "a gateway's clock was not synchronized: the times may be wrong"

    /// Whether an answer about a time span rests on any of the unsynchronized stays.
    ///
    /// - Parameters:
    ///   - unsynchronized: stays of the subjects in the answer, from gateways whose clocks were not synchronized.
    ///   - places: the places that matter; `nil`: all places.
    ///   - start: seconds since 1970.
    package static func concerns(
        _ unsynchronized: [Stay], at places: Set<Int64>? = nil, from start: Int64, to end: Int64
    ) -> Bool {
        unsynchronized.contains { stay in
            places?.contains(stay.place) ?? true && stay.start <= end && stay.end >= start
        }
    }

    /// Returns a footnote for a table with the number of rows affected; `nil` when there are none.
    ///
    /// - Parameter one: the name of a row, such as `exposure`.
    package static func note(of count: Int, _ one: String) -> String? {
        guard count > 0 else { return nil }
        return "for \(count) \(one)\(count == 1 ? "" : "s") a gateway's clock was not synchronized: "
            + "\(count == 1 ? "its" : "their") times may be wrong"
    }
}
