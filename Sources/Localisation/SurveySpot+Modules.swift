package import FloorPlans

extension SurveySpot {
    /// What `badge` begins with if nobody stood there: the beacon is a module that hangs at a receiver.
    package static let modulePrefix = "module:"

    /// Number of receivers that must hear a module: its power is unknown, so that fewer say next to nothing.
    private static let leastHearers = 3
    /// Greatest number of readings of a receiver: enough for the shares of minutes that tell how weak a module is.
    private static let mostReadings = 20

    /// Path of the receiver at which the module hangs; `nil` if somebody carried a badge.
    package var module: String? {
        badge.hasPrefix(Self.modulePrefix) ? String(badge.dropFirst(Self.modulePrefix.count)) : nil
    }

    /// Returns a spot for each module that others hear: a survey for which nobody has to walk.
    ///
    /// - Parameters:
    ///   - sites: receivers whose positions are right.
    ///   - plans: plans of the building.
    ///   - levels: how loudly receivers hear each other's modules; those of other receivers are ignored.
    ///   - now: seconds since 1970.
    package static func ofModules(
        at sites: [ReceiverSite], _ plans: [FloorPlan], levels: [MutualLevel], now: Int64
    ) -> [SurveySpot] {
        let known = Set(sites.map(\.path))
        let heard = Dictionary(
            grouping: levels.filter { $0.beacon != $0.receiver && $0.minutes > 0 && known.contains($0.receiver) },
            by: \.beacon)
        return sites.sorted { $0.path < $1.path }.compactMap { site in
            guard let levels = heard[site.path], levels.count >= leastHearers, plans.indices.contains(site.floor) else {
                return nil
            }
            let most = levels.map(\.minutes).max() ?? 1
            return SurveySpot(
                badge: modulePrefix + site.path, floor: plans[site.floor].path, position: site.position,
                startedAt: now, length: 0,
                signals: levels.sorted { $0.receiver < $1.receiver }.map {
                    Signal(
                        receiver: $0.receiver, rssi: $0.rssi,
                        seconds: max(1, min(most, mostReadings) * $0.minutes / most))
                })
        }
    }
}
