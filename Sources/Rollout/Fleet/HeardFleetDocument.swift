import RecordContract

/// All gateways, for programs.
package struct HeardFleetDocument: Encodable, Sendable {
    private struct Row: Encodable {
        var gateway: String
        var status: HeardStatus?
        var info: HeardInfo?
        var health: HeardHealth?
        var configuration: RolloutState?
    }

    private let gateways: [Row]
    private let neverHeard: [String]

    /// - Parameter known: gateways that have a file.
    package init(_ fleet: HeardFleet, known: [GatewayPath] = []) {
        gateways = fleet.gateways.sorted { $0.key < $1.key }.map { path, gateway in
            Row(
                gateway: path.description, status: gateway.status, info: gateway.info, health: gateway.health,
                configuration: gateway.configuration)
        }
        neverHeard = known.filter { fleet[$0] == nil }.map(\.description)
    }

    package var encoded: [UInt8] { JSON.encode(self) }
}
