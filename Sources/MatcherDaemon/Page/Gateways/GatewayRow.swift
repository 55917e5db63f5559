import MatcherCore

/// Row of the table of gateways: a receiver with its gateway.
struct GatewayRow: Sendable {
    var gateway: KnownGateway
    var receiver: KnownGateway.Receiver

    /// Returns the receivers of gateways, those of gateways with problems first.
    ///
    /// - Parameter state: only receivers that are in this state, or whose gateway is; `nil` for all.
    static func rows(of gateways: [KnownGateway], state: GatewayCondition?) -> [GatewayRow] {
        var rows: [GatewayRow] = []
        for gateway in gateways {
            for receiver in gateway.receivers {
                let isWanted = state.map { gateway.condition == $0 || receiver.condition == $0 } ?? true
                if isWanted { rows.append(GatewayRow(gateway: gateway, receiver: receiver)) }
            }
        }
        return rows.sorted { $0.isBefore($1) }
    }

    /// Returns the number of rows before those that are shown: of a part behind the end, those before the last part. An
    /// empty table would look as if there were no gateways.
    ///
    /// - Parameters:
    ///   - asked: number that the address has.
    ///   - most: maximum number of rows that are shown.
    static func start(_ asked: Int, of count: Int, most: Int) -> Int {
        max(0, asked < count ? asked : (count - 1) / most * most)
    }

    /// Returns what is shown of the rows, in words.
    ///
    /// - Parameters:
    ///   - first: number of rows before the ones that are shown.
    ///   - shown: number of rows that are shown.
    static func extent(of count: Int, from first: Int, shown: Int) -> String {
        if shown == 0 { return "No gateways and receivers." }
        if shown == count { return "All \(count) gateways and receivers." }
        return "Gateways and receivers \(first + 1) to \(first + shown) of \(count)."
    }

    private func isBefore(_ other: GatewayRow) -> Bool {
        if gateway.condition != other.gateway.condition { return gateway.condition < other.gateway.condition }
        return receiver.path < other.receiver.path
    }
}
