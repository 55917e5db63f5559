/// Who hears whom and when, among modules side by side. Pure: its owner tells the time.
///
/// An advertiser is heard at its interval. A listener reports at most ten advertisements a second, because more
/// would fill its serial line, and takes turns among those that it heard meanwhile.
package struct AirSchedule: Sendable {
    package struct Reception: Equatable, Sendable {
        package var advertiser: Int
        package var listener: Int
    }

    /// Between two reports of one listener.
    static let reportInterval: Duration = .milliseconds(100)

    /// When each module advertises next; `nil` while it is silent.
    private var nextAdvertisement: [Duration?]
    /// What each module has heard and not reported, the first one first.
    private var heard: [[Int]]
    private var nextReport: [Duration]

    package init(modules: Int) {
        nextAdvertisement = Array(repeating: nil, count: modules)
        heard = Array(repeating: [], count: modules)
        nextReport = Array(repeating: .zero, count: modules)
    }

    /// - Parameter air: what each module has on the air; its count is that of `init`.
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
        // 20 ms to 10.24 s, as the specification has it.
        let units = min(max(air.intervalUnits, 32), 16_384)
        nextAdvertisement[advertiser] = now + .microseconds(625 * units)
        for listener in heard.indices where listener != advertiser && !heard[listener].contains(advertiser) {
            heard[listener].append(advertiser)
        }
    }
}
