package import BeaconModel
import Glibc

/// The events that `poll` returned for one descriptor.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: Int16(POLLIN))
    package static let writable = Readiness(rawValue: Int16(POLLOUT))
    package static let error = Readiness(rawValue: Int16(POLLERR))
    package static let hangUp = Readiness(rawValue: Int16(POLLHUP))
    package static let invalid = Readiness(rawValue: Int16(POLLNVAL))
}

/// Waits until `descriptor` is ready for `interest` or `wakeup` is woken.
///
/// - Parameter timeout: the maximum wait; `nil` waits forever.
/// - Returns: the events for which `descriptor` is ready (empty after the timeout), and whether `wakeup` was woken.
/// - Throws: `SystemError` when `poll` itself fails.
package func waitUntilReady(
    _ descriptor: CInt, for interest: Readiness, wakeup: WakeupPipe?, timeout: Duration?
) throws(SystemError) -> (readiness: Readiness, woken: Bool) {
    let (readiness, woken) = try waitUntilReady(anyOf: [descriptor], for: interest, wakeup: wakeup, timeout: timeout)
    return (readiness[0], woken)
}

/// Waits until one of `descriptors` is ready for `interest` or `wakeup` is woken.
///
/// - Parameter timeout: the maximum wait; `nil` waits forever.
/// - Returns: the events for which each descriptor is ready (empty after the timeout), and whether `wakeup` was woken.
/// - Throws: `SystemError` when `poll` itself fails.
package func waitUntilReady(
    anyOf descriptors: [CInt], for interest: Readiness, wakeup: WakeupPipe?, timeout: Duration?
) throws(SystemError) -> (readiness: [Readiness], woken: Bool) {
    // Limit the wait to a week, which avoids overflow. No caller needs a longer one.
    let deadline = timeout.map { ContinuousClock.now + min($0, .seconds(7 * 86_400)) }
    var polled = descriptors.map { pollfd(fd: $0, events: interest.rawValue, revents: 0) }
    polled.append(pollfd(fd: wakeup?.readEnd ?? -1, events: Int16(POLLIN), revents: 0))
    while true {
        var waitMilliseconds: CInt = -1
        if let deadline {
            let (seconds, attoseconds) = (deadline - ContinuousClock.now).components
            let rest = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
            waitMilliseconds = CInt(clamping: max(0, seconds * 1000 + rest))
        }
        let count = poll(&polled, nfds_t(polled.count), waitMilliseconds)
        if count < 0 {
            if errno == EINTR { continue }
            throw SystemError("wait for input", errorNumber: errno)
        }
        let woken = polled.removeLast().revents != 0
        return (polled.map { Readiness(rawValue: $0.revents) }, woken)
    }
}
