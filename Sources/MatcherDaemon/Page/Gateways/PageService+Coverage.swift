import HTTPTypes
import InteractionStore
import Pages
import SystemIO

// Which floors have too few receivers, as the command `coverage` shows it.
extension PageService {
    /// Seconds that are looked at. Others wait for the store meanwhile, so it is not a day as with the command.
    private static let coveredTime: Int64 = 3600

    /// Shows the coverage of the last hour. It has no names, so the audit does not have it.
    func coverage(_ request: PageRequest) async throws -> PageAnswer {
        guard parts.coverageTurn.take() else { throw PageError.stillMeasuring }
        defer { parts.coverageTurn.giveBack() }
        let (since, until) = (request.now - Self.coveredTime, request.now)
        let found = try await api.work { try $0.reach(from: since, to: until).map(ShownReach.init) }
        return page(
            CoveragePage(
                request.frame("Coverage by receivers", route: .gateways),
                span: "The last hour, \(DayWords(days: configuration.days).span(since, until)).",
                floors: found.map(\.floor), notes: found.flatMap(\.notes)))
    }
}

/// The turn to count coverage: one request has it at a time, whoever asks.
struct CoverageTurn: Sendable {
    private let isTaken = LockedValue(false)

    /// Takes the turn.
    ///
    /// - Returns: whether nobody had it. Whoever gets it gives it back.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func giveBack() { isTaken.withLock { $0 = false } }
}

/// Coverage of a floor as the page shows it.
private struct ShownReach: Sendable {
    var floor: CoveragePage.Floor
    var notes: [String]

    init(_ reach: InteractionStore.FloorReach) {
        floor = CoveragePage.Floor(
            floor: reach.floor, receivers: "\(reach.receivers)", minutes: "\(reach.minutes.reduce(0, +))",
            byOne: ReachWords.share(0, of: reach), byTwo: ReachWords.share(1, of: reach),
            byThree: ReachWords.share(2, of: reach), byMore: ReachWords.share(3, of: reach))
        notes = ReachWords.notes(reach)
    }
}

extension PageError {
    static let stillMeasuring = Self(
        .tooManyRequests, "Still counting", "The coverage is being counted for somebody else.",
        "Wait a moment, and try again.", retryAfter: 5)
}
