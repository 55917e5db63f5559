import SystemIO

/// Whether the program is to start again when its services have ended. Safe to use from any task.
package final class RestartRequest: Sendable {
    private let value = LockedValue(false)

    package init() {}

    package var isMade: Bool { value.withLock { $0 } }

    func make() { value.withLock { $0 = true } }
}
