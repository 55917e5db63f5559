import Matching

/// Warnings that were given: each once, and so many of each gateway that no gateway can silence those of others.
struct LiveWarnings: Sendable {
    private var given: Set<LiveWarning> = []
    private var counts: [String: Int] = [:]

    /// Maximum number of warnings about the receivers of a gateway, or about subjects.
    private static let mostOfSource = 20
    private static let most = 10_000

    init() {}

    /// Returns whether a warning is to be given.
    mutating func admit(_ warning: LiveWarning) -> Bool {
        guard given.count < Self.most, !given.contains(warning) else { return false }
        if let source = Self.source(of: warning) {
            guard counts[source, default: 0] < Self.mostOfSource else { return false }
            counts[source, default: 0] += 1
        }
        given.insert(warning)
        return true
    }

    /// Returns what a warning is counted under; `nil` for those of which there is one for each gateway.
    private static func source(of warning: LiveWarning) -> String? {
        switch warning {
        case .noPosition(let receiver), .noPlan(let receiver), .clock(let receiver), .restless(let receiver):
            receiver.gateway
        case .conflicting: "subjects"
        case .flood, .tooManyReceivers, .full: nil
        }
    }
}
