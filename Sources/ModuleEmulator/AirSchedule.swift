/// A schedule of receptions between modules near each other. Pure: its owner supplies the time.
///
/// An advertiser is received at its interval. A listener reports at most ten advertisements per second, because more
/// would fill its serial line. It alternates between the advertisers received in the meantime.
package struct AirSchedule: Sendable {
    package struct Reception: Equatable, Sendable {
        package var advertiser: Int
        package var listener: Int
    }

    /// Minimum time between two reports of one listener.
    static let reportInterval: Duration = .milliseconds(100)

    /// Time of each module's next advertisement; `nil` while it is silent.
    private var nextAdvertisement: [Duration?]
    /// Advertisers that each module has received but not reported, oldest first.
    private var heard: [[Int]]
    private var nextReport: [Duration]

    package init(modules: Int) {
        nextAdvertisement = Array(repeating: nil, count: modules)
        heard = Array(repeating: [], count: modules)
        nextReport = Array(repeating: .zero, count: modules)
    }

    /// Returns the reports that are due.
    ///
    /// - Parameter air: the data that each module transmits; its count must match that of `init`.
    /// - Returns: the reports that are due.
    package mutating func receptions(at now: Duration, air: [OnAir]) -> [Reception] {
        for (advertiser, air) in zip(nextAdvertisement.indices, air) { transmit(advertiser, air, now) }
        var receptions: [Reception] = []
        for listener in heard.indices where !heard[listener].isEmpty && nextReport[listener] <= now {
            receptions.append(Reception(advertiser: heard[listener].removeFirst(), listener: listener))
            nextReport[listener] = now + Self.reportInterval
        }
        return receptions
    }

    private mutating func transmit(_ advertiser: Int, _ air: OnAir, _ now: Duration) {
        guard air.advertising else {
            nextAdvertisement[advertiser] = nil
            for listener in heard.indices { heard[listener].removeAll { $0 == advertiser } }
            return
        }
        guard nextAdvertisement[advertiser] ?? .zero <= now else { return }
        // 20 ms to 10.24 s, the range of the specification.
        let units = min(max(air.intervalUnits, 32), 16_384)
        nextAdvertisement[advertiser] = now + .microseconds(625 * units)
        for listener in heard.indices where listener != advertiser && !heard[listener].contains(advertiser) {
            heard[listener].append(advertiser)
        }
    }
}
