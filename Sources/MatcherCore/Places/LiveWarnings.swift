import Matching

/// Warnings that were given: each once, and so many of each gateway that no gateway can silence those of others.
struct LiveWarnings: Sendable {
    private var given: Set<LiveWarning> = []
    private var counts: [Source: Int] = [:]

    private static let most = 20_000

    /// What warnings are counted under.
    private enum Source: Hashable {
        case positions(gateway: String)
        case plans(gateway: String)
        case clocks(gateway: String)
        case restless(gateway: String)
        case conflicts

        /// Maximum number of warnings.
        var most: Int {
            switch self {
            case .positions, .plans, .clocks, .restless: 20
            case .conflicts: 1_000
            }
        }
    }

    init() {}

    /// Returns whether a warning is to be given.
    mutating func admit(_ warning: LiveWarning) -> Bool {
        guard given.count < Self.most, !given.contains(warning) else { return false }
        if let source = Self.source(of: warning) {
            guard counts[source, default: 0] < source.most else { return false }
            counts[source, default: 0] += 1
        }
        given.insert(warning)
        return true
    }

    /// Returns what a warning is counted under; `nil` for those of which there is one for each gateway.
    private static func source(of warning: LiveWarning) -> Source? {
        switch warning {
        case .noPosition(let receiver): .positions(gateway: receiver.gateway)
        case .noPlan(let receiver): .plans(gateway: receiver.gateway)
        case .clock(let receiver): .clocks(gateway: receiver.gateway)
        case .restless(let receiver): .restless(gateway: receiver.gateway)
        case .conflicting: .conflicts
        case .flood, .tooManyReceivers, .full: nil
        }
    }
}
