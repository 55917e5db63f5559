import BeaconModel
import Synchronization
import SystemIO

/// A wake-up of a connection's thread, once per turn of its loop.
final class LoopWakeup: Sendable {
    let pipe: WakeupPipe
    /// Whether the loop has been woken already. Many messages are published per turn of the loop; one wake-up is
    /// enough.
    private let isWoken = Atomic(false)

    init() throws(SystemError) { pipe = try WakeupPipe() }

    func wake() {
        if !isWoken.exchange(true, ordering: .sequentiallyConsistent) { pipe.wake() }
    }

    func heed() {
        pipe.drain()
        // Messages published from here on wake the loop again.
        _ = isWoken.exchange(false, ordering: .sequentiallyConsistent)
    }
}
