import Matching

/// The order in which readings are settled: the newest quarter of an hour first, and at most one late one between two
/// present ones. Pure.
///
/// Readings that arrive for a settled quarter cause a whole building to be compared again. A gateway can cause a
/// limited number of these an hour; the rest waits. Queries in the meantime are answered from what has arrived.
package struct SettlingOrder: Sendable {
    /// Seconds after its end at which a quarter counts as late.
    package static let late: Int64 = 3600
    /// Maximum number of quarters an hour that are compared again because of one gateway: those of a day.
    static let mostAnew = Int(ReadingBlock.perDay)
    /// Maximum number of late quarters that one search for something to settle examines, whichever gateway fills the
    /// queue.
    package static let mostLooks = 100

    /// Whether late quarters are examined before present ones.
    package private(set) var isTurnOfLate = false
    /// The late quarter from which the next search goes down; `nil`: the newest. Those above it had to wait.
    package var nextLate: Int64?
    private var anew: [String: Int] = [:]
    private var hour: Int64 = .min

    package init(isTurnOfLate: Bool = false, nextLate: Int64? = nil) {
        self.isTurnOfLate = isTurnOfLate
        self.nextLate = nextLate
    }

    /// Returns the newest late quarter, in quarters since 1970.
    ///
    /// - Parameter now: seconds since 1970.
    package static func newestLate(now: Int64) -> Int64 { ReadingBlock(containing: now - late).number - 1 }

    /// Whether quarters can be compared again because of any of the given gateways.
    ///
    /// - Parameter now: seconds since 1970.
    package func admits(_ gateways: Set<String>, now: Int64) -> Bool {
        now / 3600 != hour || gateways.contains { anew[$0, default: 0] < Self.mostAnew }
    }

    /// Counts a quarter that was compared again because of some gateways.
    package mutating func countAnew(_ gateways: Set<String>, now: Int64) {
        if now / 3600 != hour { (anew, hour) = ([:], now / 3600) }
        for gateway in gateways { anew[gateway, default: 0] += 1 }
    }

    /// Records that a quarter was settled.
    package mutating func settled(isLate: Bool) { isTurnOfLate = !isLate }
}
