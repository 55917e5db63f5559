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

    /// Returns what is shown of the rows, in a sentence.
    static func extent(_ part: TablePart) -> String {
        if part.count == 0 { return "No gateways and receivers." }
        return part.isAll ? "All \(part.count) gateways and receivers." : part.extent("Gateways and receivers")
    }

    private func isBefore(_ other: GatewayRow) -> Bool {
        if gateway.condition != other.gateway.condition { return gateway.condition < other.gateway.condition }
        return receiver.path < other.receiver.path
    }
}
