package import Evidence

/// Recent statements of gateways that they receive.
package struct GatewaySigns: Sendable {
    private struct Sign {
        /// Time of the statement, in seconds since 1970.
        var at: Int64
        /// The gateway's receivers that do not receive; `nil`: none of its receivers works.
        var deaf: Set<String>?
        /// Its statements about itself in its latest health message.
        var report: GatewayReport?
    }

    private var signs: [String: Sign] = [:]
    /// Time of the latest accepted message of each gateway that signs.
    private var latest: [String: GatewayHealth.Moment] = [:]

    package init() {
    }

    /// Seconds for which a statement holds. Gateways repeat it every 30 s.
    package static let patience: Int64 = 90
    /// Maximum number of gateways; without signatures any client can invent some.
    private static let most = 10_000
    /// Maximum number of deaf receivers of one gateway. A gateway has half as many remote receivers; one that reports
    /// more is no gateway.
    private static let mostDeaf = 128

    /// Takes a gateway's health message.
    ///
    /// - Parameters:
    ///   - gateway: `site/building/floor/gateway`.
    ///   - isGenuine: whether the message is signed: then it must be current, and later than the previous one. A
    ///     recorded message cannot be replayed, whether or not a clock is synchronized.
    ///   - now: seconds since 1970.
    /// - Returns: the defect for which the message is refused, if any.
    package mutating func take(
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
        signs[gateway]?.report = GatewayReport(health, at: now)
        return nil
    }

    /// Notes that a gateway receives.
    ///
    /// - Parameter deaf: its receivers that do not receive; `nil`: none of its receivers works.
    package mutating func heard(_ gateway: String, deaf: Set<String>?, now: Int64) {
        if signs.count >= Self.most, signs[gateway] == nil {
            signs = signs.filter { now - $0.value.at <= Self.patience }
            guard signs.count < Self.most else { return }
        }
        let isPossible = deaf.map { $0.count <= Self.mostDeaf } ?? false
        signs[gateway] = Sign(at: now, deaf: isPossible ? deaf : nil, report: signs[gateway]?.report)
    }

    /// Statements of gateways about themselves in their latest health messages, by path.
    package var reports: [String: GatewayReport] { signs.compactMapValues(\.report) }

    /// Returns the gateways with a working receiver, by the time of their statement, since a given time.
    package func hearing(since time: Int64) -> [String: Int64] {
        signs.filter { $0.value.at >= time && $0.value.deaf != nil }.mapValues(\.at)
    }

    /// Numbers of gateways.
    package struct Tally: Equatable, Sendable {
        /// Gateways that have said lately that they receive.
        package var receiving = 0
        /// Gateways that have said lately that none of their receivers works.
        package var deaf = 0
        /// Gateways that have said nothing lately, and did before.
        package var silent = 0

        package init(receiving: Int = 0, deaf: Int = 0, silent: Int = 0) {
            self.receiving = receiving
            self.deaf = deaf
            self.silent = silent
        }
    }

    /// Returns how many gateways receive, and how many do not.
    package func tally(now: Int64) -> Tally {
        var tally = Tally()
        for sign in signs.values {
            if now - sign.at > Self.patience {
                tally.silent += 1
            } else if sign.deaf == nil {
                tally.deaf += 1
            } else {
                tally.receiving += 1
            }
        }
        return tally
    }

    /// Returns what is known of receivers.
    ///
    /// - Parameters:
    ///   - others: gateways that told other matchers that they receive.
    ///   - silent: receivers that publish readings which do not say that they listened.
    ///   - revoked: gateways that are no longer trusted.
    ///   - now: seconds since 1970.
    package func receivers(
        others: Set<String>, silent: Set<String>, revoked: Set<String> = [], now: Int64
    ) -> HeardReceivers {
        // A time in the future is that of a clock that was ahead.
        let lately = signs.filter { (now - Self.patience...now + Self.patience).contains($0.value.at) }
        let deaf = lately.values.reduce(into: silent) { $0.formUnion($1.deaf ?? []) }
        // The present statement of a gateway takes precedence over one to another matcher a minute ago.
        let mute = lately.filter { $0.value.deaf == nil }.keys
        return HeardReceivers(
            gateways: others.union(lately.keys).subtracting(mute).subtracting(revoked), deaf: deaf)
    }
}
