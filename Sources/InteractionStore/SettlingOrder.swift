import Matching

/// Which readings are settled next: the newest quarter of an hour first, and of late ones at most one between two of the
/// present. Pure.
///
/// What comes of a quarter that was settled has a whole building compared anew. A gateway may cause so many of these an hour;
/// the rest waits. Whoever asks meanwhile is answered from what has come.
struct SettlingOrder: Sendable {
    /// Quarters that ended so long ago are late, in seconds.
    static let late: Int64 = 3600
    /// Quarters that are compared anew because of one gateway, an hour: those of a day.
    static let mostAnew = Int(ReadingBlock.perDay)
    /// Late quarters at which one look for something to settle looks, whoever fills the queue.
    static let mostLooks = 100

    /// Whether late ones are looked at before those of the present.
    private(set) var isTurnOfLate = false
    /// The last late quarter at which the next look begins; `nil`: the newest. Those above it had to wait.
    var nextLate: Int64?
    private var anew: [String: Int] = [:]
    private var hour: Int64 = .min

    /// The newest late quarter, in quarters since 1970.
    ///
    /// - Parameter now: seconds since 1970.
    static func newestLate(now: Int64) -> Int64 { ReadingBlock(containing: now - late).number - 1 }

    /// Whether quarters may be compared anew because of one of some gateways.
    ///
    /// - Parameter now: seconds since 1970.
    func admits(_ gateways: Set<String>, now: Int64) -> Bool {
        now / 3600 != hour || gateways.contains { anew[$0, default: 0] < Self.mostAnew }
    }

    /// A quarter was compared anew because of some gateways.
    mutating func countAnew(_ gateways: Set<String>, now: Int64) {
        if now / 3600 != hour { (anew, hour) = ([:], now / 3600) }
        for gateway in gateways { anew[gateway, default: 0] += 1 }
    }

    /// A quarter was settled.
    mutating func settled(isLate: Bool) { isTurnOfLate = !isLate }
}
