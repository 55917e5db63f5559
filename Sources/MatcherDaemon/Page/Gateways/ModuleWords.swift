import MatcherCore
import OperatorText
import Pages

extension GatewayFacts.Condition {
    /// The state in words.
    var tag: StateTag {
        switch self {
        case .advertising: StateTag("advertising", .good)
        case .provisioning: StateTag("being configured", .warn)
        case .unverified: StateTag("not verified: no receiver can hear it", .warn)
        case .notHeard: StateTag("not heard", .bad)
        case .absent: StateTag("not connected", .bad)
        case .failed: StateTag("failed", .bad)
        }
    }
}

extension StateTag {
    /// State of a module that nobody knows.
    static let unknownModule = Self("not known", .plain)
}

extension KnownGateway {
    /// Returns the state of one of the gateway's modules in words. What a gateway told that is silent now, or is not
    /// believed, may no longer be so.
    func tag(of module: GatewayFacts.Module) -> StateTag {
        guard let told = module.condition?.tag else { return .unknownModule }
        switch condition {
        case .silent, .revoked: return StateTag("not known, last: \(told.words)", .plain)
        case .deaf, .partlyDeaf, .neverHeard, .receiving: return told
        }
    }
}

/// Words of pages about modules. Pure.
extension GatewayWords {
    /// Returns the version of a gateway's program.
    func version(of gateway: KnownGateway) -> String { gateway.facts?.version ?? "not known" }

    /// Returns the version of a gateway's program, and when the gateway told it.
    func toldVersion(of gateway: KnownGateway) -> String {
        guard gateway.facts?.version != nil, let told = gateway.facts?.told else { return version(of: gateway) }
        return "\(version(of: gateway)), as reported \(told.isRetained ? "before" : "at") \(time(told.at))"
    }

    /// Returns how many modules of a gateway are in which state, the worst first.
    func moduleTags(of gateway: KnownGateway) -> [StateTag] {
        let modules = gateway.facts?.modules ?? [:]
        let counts = Dictionary(grouping: modules.values) { gateway.tag(of: $0).kind }
            .mapValues(\.count)
        let kinds: [(kind: StateTag.Kind, words: String)] = [
            (.bad, "with problems"), (.warn, "not certain"), (.good, "working"), (.plain, "not known"),
        ]
        return kinds.compactMap { kind, words in
            counts[kind.rawValue].map { StateTag("\($0) \(words)", kind) }
        }
    }

    /// Returns the modules of a gateway in the order of their names.
    func modules(of gateway: KnownGateway) -> [GatewayPage.Module] {
        (gateway.facts?.modules ?? [:]).sorted { $0.key < $1.key }.map { name, module in
            GatewayPage.Module(
                label: name, tag: gateway.tag(of: module), firmware: module.firmware ?? "not known",
                problem: module.error ?? "none", advice: module.remedy ?? "")
        }
    }

    /// Returns the lines that identify and reset a module of a gateway, for a person who has the key for commands.
    func commands(for gateway: KnownGateway, prefix: String) -> [GatewayPage.Command] {
        guard let module = gateway.facts?.modules.keys.min() else { return [] }
        return [
            ("identify", "Find a module: the lights of its adapter flicker"),
            ("reset", "Restart a module with its configuration"),
        ].map { command, purpose in
            GatewayPage.Command(
                purpose: purpose,
                line: "beacon-gateway sign-command --key-file commands.key --gateway \(gateway.path) "
                    + "--prefix \(prefix) \(command) --module \(module) | mosquitto_pub -l -q 1 "
                    + "-t \(prefix)/v1/\(gateway.path)/command/\(command)")
        }
    }
}
