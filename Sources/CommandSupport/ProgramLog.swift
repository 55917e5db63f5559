package import Logging
package import OperatorText
import Synchronization
import SystemIO

/// The log of a program that runs for long: its level, which can be changed, and its latest warnings and errors.
package final class ProgramLog: Sendable {
    /// Level that the program was started with.
    package let initialLevel: Logger.Level
    /// Index of the level in `Logger.Level.allCases`, which is asked at each log statement.
    private let index: Atomic<Int>
    private let latest = LockedValue(LatestEntries())

    package init(level: Logger.Level) {
        initialLevel = level
        index = Atomic(Self.index(of: level))
    }

    package var level: Logger.Level {
        get {
            let all = Logger.Level.allCases
            let number = index.load(ordering: .relaxed)
            return all.indices.contains(number) ? all[number] : initialLevel
        }
        set { index.store(Self.index(of: newValue), ordering: .relaxed) }
    }

    /// The latest warnings and errors, the oldest first.
    package var problems: [LogEntry] { latest.withLock { $0.entries } }

    func note(_ entry: LogEntry) { latest.withLock { $0.add(entry) } }

    private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}
