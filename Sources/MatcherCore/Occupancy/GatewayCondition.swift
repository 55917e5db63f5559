/// State of a gateway or receiver, the worst first.
package enum GatewayCondition: String, CaseIterable, Comparable, Sendable {
    /// It has not reported for longer than `GatewaySigns.patience`.
    case silent
    /// It reports, but none of its receivers receives.
    case deaf
    /// Some of its receivers do not receive.
    case partlyDeaf = "partly-deaf"
    /// It has sent records, but never reported that it works.
    case neverHeard = "never-heard"
    case revoked
    case receiving

    /// Judges a gateway.
    ///
    /// - Parameters:
    ///   - gateway: `site/building/floor/gateway`.
    ///   - heardAt: time of its latest report, in seconds since 1970; `nil` if there was none. A time in the future is
    ///     that of a clock that was ahead, and says nothing of the present.
    ///   - deaf: its receivers that are known not to receive.
    ///   - working: what is known of receivers.
    ///   - now: seconds since 1970.
    package init(
        _ gateway: String, isRevoked: Bool, heardAt: Int64?, deaf: some Collection<String>, working: HeardReceivers,
        now: Int64
    ) {
        if isRevoked {
            self = .revoked
        } else if let heardAt {
            if !(now - GatewaySigns.patience...now + GatewaySigns.patience).contains(heardAt) {
                self = .silent
            } else if !working.gateways.contains(gateway) {
                self = .deaf
            } else {
                self = deaf.isEmpty ? .receiving : .partlyDeaf
            }
        } else {
            self = .neverHeard
        }
    }

    /// Returns the state of one of the gateway's receivers.
    package func ofReceiver(isDeaf: Bool) -> Self {
        switch self {
        case .silent, .deaf, .neverHeard, .revoked: self
        case .partlyDeaf, .receiving: isDeaf ? .deaf : .receiving
        }
    }

    package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
