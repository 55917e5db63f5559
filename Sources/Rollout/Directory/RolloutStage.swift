import OperatorText

/// A step of a rollout: which of the gateways that are left take part in it.
package enum RolloutStage: Equatable, Sendable, CustomStringConvertible {
    /// The first gateway alone.
    case gateway
    /// The gateways on the floor of the first one.
    case floor
    case building
    case site
    case all
    /// The gateways at a place: `campus/main/1`.
    case place([String])

    package static let usual: [RolloutStage] = [.gateway, .floor, .building, .all]
    package static let form = "gateway, floor, building, site, all, or a place such as campus/main/1"

    package init?(_ text: String) {
        switch text {
        case "gateway": self = .gateway
        case "floor": self = .floor
        case "building": self = .building
        case "site": self = .site
        case "all": self = .all
        default:
            guard let levels = Self.place(text), levels.count > 1 else { return nil }
            self = .place(levels)
        }
    }

    /// Parses a place of 1 to 4 levels: `campus`, `campus/main`, `campus/main/1`, `campus/main/1/east`.
    package static func place(_ text: String) -> [String]? {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        let levels = trimmed.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let rest = Array(repeating: "a", count: max(0, 4 - levels.count))
        return GatewayPath(levels + rest) == nil ? nil : levels
    }

    package var description: String {
        switch self {
        case .gateway: "gateway"
        case .floor: "floor"
        case .building: "building"
        case .site: "site"
        case .all: "all"
        case .place(let levels): levels.joined(separator: "/")
        }
    }

    private func takes(_ gateway: GatewayPath, first: GatewayPath) -> Bool {
        switch self {
        case .gateway: gateway == first
        case .floor: gateway.isWithin(Array(first.levels.prefix(3)))
        case .building: gateway.isWithin(Array(first.levels.prefix(2)))
        case .site: gateway.isWithin(Array(first.levels.prefix(1)))
        case .all: true
        case .place(let levels): gateway.isWithin(levels)
        }
    }

    /// Divides gateways into stages. Each is in the first stage that takes it.
    ///
    /// - Parameters:
    ///   - first: the gateway that goes first, if it is among them; otherwise the first in order.
    /// - Returns: the stages that have gateways, and the gateways that no stage takes.
    package static func divide(
        _ gateways: [GatewayPath], into stages: [RolloutStage], first: GatewayPath?
    ) -> (stages: [(stage: RolloutStage, gateways: [GatewayPath])], leftOut: [GatewayPath]) {
        var rest = gateways.sorted()
        guard let lead = first.flatMap({ rest.contains($0) ? $0 : nil }) ?? rest.first else { return ([], []) }
        var result: [(stage: RolloutStage, gateways: [GatewayPath])] = []
        for stage in stages {
            let taken = rest.filter { stage.takes($0, first: lead) }
            if taken.isEmpty { continue }
            result.append((stage, taken))
            rest.removeAll { stage.takes($0, first: lead) }
        }
        return (result, rest)
    }
}
