package import RecordContract

/// What all gateways said last.
package struct HeardFleet: Sendable {
    /// What a gateway said last.
    package struct Gateway: Equatable, Sendable {
        package var status: HeardStatus?
        package var info: HeardInfo?
        package var health: HeardHealth?
        package var configuration: RolloutState?

        package init(
            status: HeardStatus? = nil, info: HeardInfo? = nil, health: HeardHealth? = nil,
            configuration: RolloutState? = nil
        ) {
            self.status = status
            self.info = info
            self.health = health
            self.configuration = configuration
        }

        package var isOnline: Bool { status?.isOnline ?? false }
        fileprivate var isEmpty: Bool { self == Gateway() }
    }

    package private(set) var gateways: [GatewayPath: Gateway] = [:]
    /// Gateways beyond the limit, which are not followed.
    package private(set) var isFull = false

    /// Maximum number of gateways: a client that may publish anywhere could name any number.
    package static let most = 20_000

    package init() {}

    package subscript(path: GatewayPath) -> Gateway? { gateways[path] }

    package mutating func take(_ message: HeardMessage, of path: GatewayPath) {
        if gateways[path] == nil {
            guard gateways.count < Self.most else {
                isFull = true
                return
            }
        }
        var gateway = gateways[path] ?? Gateway()
        switch message {
        case .status(let status): gateway.status = status
        case .info(let info): gateway.info = info
        case .health(let health): gateway.health = health
        case .configuration(let state): gateway.configuration = state
        case .forgotten(.status): gateway.status = nil
        case .forgotten(.info): gateway.info = nil
        case .forgotten(.health): gateway.health = nil
        case .forgotten(.configuration): gateway.configuration = nil
        case .reply: break
        }
        gateways[path] = gateway.isEmpty ? nil : gateway
    }
}
