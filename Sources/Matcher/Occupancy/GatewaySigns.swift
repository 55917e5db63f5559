import InteractionStore

/// Which gateways have said lately that they hear.
struct GatewaySigns: Sendable {
    private struct Sign {
        /// Seconds since 1970.
        var at: Int64
        /// Its receivers that don't hear; `nil`: none of them hears.
        var deaf: Set<String>?
    }

    private var signs: [String: Sign] = [:]
    /// The latest that was taken of each gateway that signs.
    private var latest: [String: GatewayHealth.Moment] = [:]

    /// They say it every 30 s.
    static let patience: Int64 = 90
    /// Gateways; without signatures anybody can invent some.
    private static let most = 10_000
    /// Receivers of one gateway; it has half as many ears. One that says more is no gateway.
    private static let mostDeaf = 128

    /// Takes in what a gateway said of itself.
    ///
    /// - Parameters:
    ///   - gateway: `site/building/floor/gateway`.
    ///   - isGenuine: whether it is signed: then it has to be of the present, and later than what was taken before. Whoever
    ///     kept it, and whether or not a clock is synchronized, can't say it again.
    ///   - now: seconds since 1970.
    /// - Returns: why it isn't taken.
    mutating func take(
        _ health: GatewayHealth, of gateway: String, isGenuine: Bool, now: Int64
    ) -> RecordReader.Defect? {
        if isGenuine {
            guard health.isOf(now), let moment = health.moment else { return GatewayHealth.old }
            if let before = latest[gateway] {
                guard before < moment else { return GatewayHealth.repeated }
            } else if latest.count >= Self.most {
                return nil
            }
            latest[gateway] = moment
        }
        heard(gateway, deaf: health.deaf(of: gateway), now: now)
        return nil
    }

    /// - Parameter deaf: its receivers that don't hear; `nil`: none of them hears.
    mutating func heard(_ gateway: String, deaf: Set<String>?, now: Int64) {
        if signs.count >= Self.most, signs[gateway] == nil {
            signs = signs.filter { now - $0.value.at <= Self.patience }
            guard signs.count < Self.most else { return }
        }
        let isPossible = deaf.map { $0.count <= Self.mostDeaf } ?? false
        signs[gateway] = Sign(at: now, deaf: isPossible ? deaf : nil)
    }

    /// Gateways of which a receiver hears, by when they said it, since a time.
    func hearing(since time: Int64) -> [String: Int64] {
        signs.filter { $0.value.at >= time && $0.value.deaf != nil }.mapValues(\.at)
    }

    /// What is known of receivers.
    ///
    /// - Parameters:
    ///   - others: gateways that told others that they hear.
    ///   - silent: receivers that publish readings, and whose readings don't say that they listened.
    ///   - revoked: gateways of which nothing is believed any more.
    ///   - now: seconds since 1970.
    func receivers(
        others: Set<String>, silent: Set<String>, revoked: Set<String> = [], now: Int64
    ) -> HeardReceivers {
        let lately = signs.filter { $0.value.at >= now - Self.patience }
        let deaf = lately.values.reduce(into: silent) { $0.formUnion($1.deaf ?? []) }
        // What a gateway says now goes before what it said to others a minute ago.
        let mute = lately.filter { $0.value.deaf == nil }.keys
        return HeardReceivers(
            gateways: others.union(lately.keys).subtracting(mute).subtracting(revoked), deaf: deaf)
    }
}
