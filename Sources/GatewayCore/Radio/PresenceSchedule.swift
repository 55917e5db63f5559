/// When the presence is persisted: in full once a minute, and every 5 s the subjects heard. Beginnings and ends are
/// written at once. Pure.
struct PresenceSchedule: Sendable {
    private var keptAt: Duration?
    private var notedAt: Duration?

    enum Write: Equatable, Sendable {
        /// A full snapshot.
        case snapshot
        /// Journal entries for the subjects heard since the last write.
        case heard
    }

    private static let keepInterval: Duration = .seconds(60)
    static let noteInterval: Duration = .seconds(5)

    /// Returns the write that is due, which counts as written from then on.
    mutating func due(now: Duration) -> Write? {
        if keptAt.map({ now - $0 >= Self.keepInterval }) ?? true {
            keptAt = now
            notedAt = now
            return .snapshot
        }
        guard notedAt.map({ now - $0 >= Self.noteInterval }) ?? true else { return nil }
        notedAt = now
        return .heard
    }
}
