/// States of the receivers and modules of a floor, for programs.
package struct FloorStateDocument: Codable, Equatable, Sendable {
    package var asOf: String
    /// Whether all rooms of the floor are heard; else a room that looks empty may not be.
    package var isHeard: Bool
    /// Time at which a receiver of the floor was heard last; omitted while one is heard, and if none was since the
    /// matcher's start.
    package var heardAt: String?
    package var receivers: [Receiver]
    package var modules: [Module]

    /// A receiver.
    package struct Receiver: Codable, Equatable, Sendable {
        /// `site/building/floor/gateway`, followed by the remote receiver if it is one.
        package var path: String
        /// Whether it has listened in the last 15 s.
        package var isHeard: Bool

        package init(path: String, isHeard: Bool) {
            self.path = path
            self.isHeard = isHeard
        }
    }

    /// A module that a gateway of the floor looks after.
    package struct Module: Codable, Equatable, Sendable {
        /// `site/building/floor/gateway`.
        package var gateway: String
        package var name: String
        /// As in the contract; omitted if the gateway said none that is known.
        package var state: String?

        package init(gateway: String, name: String, state: String?) {
            self.gateway = gateway
            self.name = name
            self.state = state
        }
    }

    package init(asOf: String, isHeard: Bool, heardAt: String?, receivers: [Receiver], modules: [Module]) {
        self.asOf = asOf
        self.isHeard = isHeard
        self.heardAt = heardAt
        self.receivers = receivers
        self.modules = modules
    }

    /// Returns whether something else is known than before. Times alone are no difference.
    package func differs(from other: Self) -> Bool {
        isHeard != other.isHeard || receivers != other.receivers || modules != other.modules
    }
}

extension FloorStateDocument.Module {
    /// Returns the modules of the gateways of a floor, in the order of their names.
    ///
    /// - Parameters:
    ///   - floor: `site/building/floor`.
    ///   - facts: what gateways said, by their paths.
    package static func modules(on floor: String, _ facts: [String: GatewayFacts]) -> [Self] {
        facts.filter { $0.key.hasPrefix(floor + "/") }.sorted { $0.key < $1.key }.flatMap { gateway, facts in
            facts.modules.sorted { $0.key < $1.key }.map { name, module in
                Self(gateway: gateway, name: name, state: module.condition?.rawValue)
            }
        }
    }
}
