import Glibc

/// What `poll` said of one descriptor.
public struct Readiness: OptionSet, Sendable {
    public let rawValue: Int16
    public init(rawValue: Int16) { self.rawValue = rawValue }

    public static let readable = Readiness(rawValue: Int16(POLLIN))
    public static let writable = Readiness(rawValue: Int16(POLLOUT))
    public static let error = Readiness(rawValue: Int16(POLLERR))
    public static let hangUp = Readiness(rawValue: Int16(POLLHUP))
    public static let invalid = Readiness(rawValue: Int16(POLLNVAL))
}

/// Waits until `descriptor` is ready for `interest` or `wakeup` is woken.
///
/// - Parameter timeout: `nil` waits for ever.
/// - Returns: what `descriptor` is ready for (empty after the timeout), and whether `wakeup` was woken.
/// - Throws: `SystemError` when `poll` itself fails.
public func waitUntilReady(
    _ descriptor: CInt, for interest: Readiness, wakeup: WakeupPipe?, timeout: Duration?
) throws(SystemError) -> (readiness: Readiness, woken: Bool) {
    // No caller means a longer wait, and arithmetic with a week can't overflow.
    let deadline = timeout.map { ContinuousClock.now + min($0, .seconds(7 * 86_400)) }
    while true {
        var waitMilliseconds: CInt = -1
        if let deadline {
            let (seconds, attoseconds) = (deadline - ContinuousClock.now).components
            let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
            waitMilliseconds = CInt(clamping: max(0, seconds * 1000 + rest))
        }
        var descriptors: [2 of pollfd] = [
            pollfd(fd: descriptor, events: interest.rawValue, revents: 0),
            pollfd(fd: wakeup?.readEnd ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        let count = withUnsafeMutablePointer(to: &descriptors) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 2) { poll($0, 2, waitMilliseconds) }
        }
        if count < 0 {
            if errno == EINTR { continue }
            throw SystemError("wait for input", errorNumber: errno)
        }
        return (Readiness(rawValue: descriptors[0].revents), descriptors[1].revents != 0)
    }
}
