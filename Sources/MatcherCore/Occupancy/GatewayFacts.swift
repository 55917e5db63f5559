import OperatorText
import RecordContract

/// Statements of a gateway about its program and its modules, for people. The messages are not signed, so nothing is
/// decided by them.
package struct GatewayFacts: Equatable, Sendable {
    /// Version of its program.
    package var version: String?
    /// When it told its version; `nil` if that is not known.
    package var told: Telling?
    /// Its modules by name.
    package var modules: [String: Module] = [:]

    package init(version: String? = nil, told: Telling? = nil, modules: [String: Module] = [:]) {
        self.version = version
        self.told = told
        self.modules = modules
    }

    /// When a message was read.
    package struct Telling: Equatable, Sendable {
        /// Time in seconds since 1970.
        package var at: Int64
        /// Whether the broker had kept the message: then the gateway sent it at some time before.
        package var isRetained: Bool

        package init(at: Int64, isRetained: Bool) {
            self.at = at
            self.isRetained = isRetained
        }
    }

    /// A module that a gateway looks after.
    package struct Module: Equatable, Sendable {
        package var condition: Condition?
        package var firmware: String?
        /// Problem and remedy, in sentences of the gateway.
        package var error: String?
        package var remedy: String?

        package init(
            condition: Condition?, firmware: String? = nil, error: String? = nil, remedy: String? = nil
        ) {
            self.condition = condition
            self.firmware = firmware
            self.error = error
            self.remedy = remedy
        }
    }

    /// State of a module, as in the contract.
    package enum Condition: String, CaseIterable, Sendable {
        case absent, provisioning, advertising, unverified
        case notHeard = "not-heard"
        case failed
    }

    /// Topic on which a gateway says something of itself.
    package enum Topic: Equatable, Sendable {
        case info(gateway: String)
        case module(gateway: String, name: String)

        /// Reads a topic; `nil` for all others.
        package init?(_ topic: String, prefix: String) {
            let root = "\(prefix)/v\(Contract.version)/"
            guard topic.hasPrefix(root) else { return nil }
            let levels = topic.dropFirst(root.count).split(separator: "/", omittingEmptySubsequences: false)
                .map(String.init)
            guard levels.count > 4, Topics.isPlace(Array(levels[..<4])) else { return nil }
            let gateway = levels[..<4].joined(separator: "/")
            if levels.count == 5, levels[4] == "info" {
                self = .info(gateway: gateway)
            } else if levels.count == 7, levels[4] == "module", levels[6] == "state", Topics.isLevel(levels[5]),
                levels[5].utf8.count <= GatewayFacts.longestName
            {
                self = .module(gateway: gateway, name: levels[5])
            } else {
                return nil
            }
        }

        package var gateway: String {
            switch self {
            case .info(let gateway), .module(let gateway, _): gateway
            }
        }
    }

    fileprivate static let longestName = 64
    /// Maximum number of modules of a gateway.
    fileprivate static let mostModules = 64
    fileprivate static let longestVersion = 40
    fileprivate static let longestSentence = 200
}

/// The latest facts of all gateways, within limits: without signatures any client can invent some.
package struct KnownFacts: Sendable {
    package private(set) var facts: [String: GatewayFacts] = [:]
    private var moduleCount = 0

    private static let mostGateways = 10_000
    private static let mostModules = 20_000
    /// Largest message that is read, in bytes. The information of a gateway has about 200 bytes for each module.
    package static let mostBytes = 65_536

    package init() {}

    private struct Info: Decodable {
        struct Module: Decodable {
            var name: String
            var state: String?
            var firmware: String?
            var error: String?
        }

        var version: String?
        var modules: [Module]?
    }

    private struct ModuleState: Decodable {
        var state: String?
        var firmware: String?
        var error: String?
        var remedy: String?
    }

    /// Takes a message. One that cannot be read is ignored.
    ///
    /// - Parameter told: when the message was read.
    package mutating func take(_ topic: GatewayFacts.Topic, _ payload: [UInt8], told: GatewayFacts.Telling? = nil) {
        guard payload.count <= Self.mostBytes,
            facts[topic.gateway] != nil || facts.count < Self.mostGateways
        else { return }
        switch topic {
        case .info(let gateway):
            guard let info = try? JSON.decode(Info.self, from: payload) else { return }
            var new = GatewayFacts(version: Self.shown(info.version, GatewayFacts.longestVersion), told: told)
            let before = facts[gateway]?.modules ?? [:]
            for module in (info.modules ?? []).prefix(GatewayFacts.mostModules)
            where Topics.isLevel(module.name) && module.name.utf8.count <= GatewayFacts.longestName {
                var found = Self.module(module.state, module.firmware, module.error, nil)
                // Only the topic of the module says what to do.
                if let known = before[module.name], known.error == found.error { found.remedy = known.remedy }
                new.modules[module.name] = found
            }
            replace(gateway, with: new)
        case .module(let gateway, let name):
            var new = facts[gateway] ?? GatewayFacts()
            if payload.isEmpty {
                new.modules[name] = nil
            } else {
                guard new.modules[name] != nil || new.modules.count < GatewayFacts.mostModules,
                    let state = try? JSON.decode(ModuleState.self, from: payload)
                else { return }
                new.modules[name] = Self.module(state.state, state.firmware, state.error, state.remedy)
            }
            replace(gateway, with: new)
        }
    }

    private mutating func replace(_ gateway: String, with new: GatewayFacts) {
        let count = moduleCount - (facts[gateway]?.modules.count ?? 0) + new.modules.count
        guard count <= Self.mostModules else { return }
        moduleCount = count
        facts[gateway] = new
    }

    private static func module(
        _ state: String?, _ firmware: String?, _ error: String?, _ remedy: String?
    ) -> GatewayFacts.Module {
        GatewayFacts.Module(
            condition: state.flatMap { GatewayFacts.Condition(rawValue: $0) },
            firmware: shown(firmware, GatewayFacts.longestVersion), error: shown(error, GatewayFacts.longestSentence),
            remedy: shown(remedy, GatewayFacts.longestSentence))
    }

    private static func shown(_ text: String?, _ longest: Int) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0.shown(upTo: longest) }
    }
}
