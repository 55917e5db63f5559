import OperatorText
package import RecordContract
import Setup

/// What a rollout would change at which gateway.
package struct RolloutPlan: Equatable, Sendable {
    package struct Row: Equatable, Sendable {
        package var gateway: GatewayPath
        package var use: Use
        package var change: Change
        /// Files that the configuration names, which only the gateway can check.
        package var uncheckedFiles: [String]
    }

    /// Which configuration a gateway uses, by its own account.
    package enum Use: Equatable, Sendable {
        case neverHeard
        /// The gateway is heard, but does not say which configuration it uses.
        case older(version: String?)
        case known(RolloutState, isOnline: Bool)
    }

    package enum Change: Equatable, Sendable {
        case none
        /// The gateway has its own file, or none that is known.
        ///
        /// - Parameter lines: number of lines of the new configuration.
        case whole(lines: Int)
        /// - Parameter lines: the lines that differ, after `-` and `+`, with those around them.
        case lines(added: Int, removed: Int, lines: [String])
        /// The configuration in use is of a revision that is not known here.
        ///
        /// - Parameter lines: number of lines of the new configuration.
        case unknown(lines: Int)
    }

    package var rows: [Row]
    /// Gateways that are heard and have no file.
    package var strangers: [GatewayPath]

    /// - Parameters:
    ///   - documents: the configurations of the gateways in question.
    ///   - heard: what gateways say.
    ///   - former: the configurations in use, where they are known.
    ///   - known: all gateways that have a file.
    package init(
        _ documents: [PlannedConfiguration], heard: HeardFleet, former: [GatewayPath: PlannedConfiguration],
        known: Set<GatewayPath>
    ) {
        rows = documents.sorted { $0.gateway < $1.gateway }.map { document in
            let use = Self.use(heard[document.gateway])
            return Row(
                gateway: document.gateway, use: use, change: Self.change(document, use, former[document.gateway]),
                uncheckedFiles: document.uncheckedFiles)
        }
        strangers = heard.gateways.keys.filter { !known.contains($0) }.sorted()
    }

    /// Gateways whose configuration would change.
    package var changing: [GatewayPath] { rows.filter { $0.change != .none }.map(\.gateway) }

    private static func use(_ heard: HeardFleet.Gateway?) -> Use {
        guard let heard else { return .neverHeard }
        guard let state = heard.configuration else { return .older(version: heard.info?.version) }
        return .known(state, isOnline: heard.isOnline)
    }

    private static func change(_ document: PlannedConfiguration, _ use: Use, _ former: PlannedConfiguration?) -> Change
    {
        let count = document.text.utf8.count { $0 == UInt8(ascii: "\n") }
        guard case .known(let state, _) = use else { return .whole(lines: count) }
        if state.digest == document.digest { return .none }
        guard let former, former.digest == state.digest else {
            return state.revision == nil ? .whole(lines: count) : .unknown(lines: count)
        }
        let lines = LineDifference.lines(from: former.text, to: document.text)
        return .lines(
            added: lines.count { $0.hasPrefix("+") }, removed: lines.count { $0.hasPrefix("-") }, lines: lines)
    }
}
