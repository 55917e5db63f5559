import BeaconModel
import CLinux
import Glibc
import SystemIO

/// A single descriptor that is readable while a connection has messages, either from the bus or in a queue of this
/// process, which `poll` cannot see.
final class BusReadiness {
    /// Descriptor to poll for reading.
    let descriptor: CInt
    private let backlog: WakeupPipe

    init(of connection: BusConnection) throws(SystemError) {
        backlog = try WakeupPipe()
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("create an epoll instance", errorNumber: errno) }
        for watched in [connection.descriptor, backlog.readEnd] {
            var event = epoll_event()
            event.events = EPOLLIN.rawValue
            guard epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0 else {
                throw SystemError("watch the D-Bus connection", errorNumber: errno)
            }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Updates the readiness. Must be called whenever messages have been taken or received.
    func update(hasBacklog: Bool) {
        backlog.drain()
        if hasBacklog { backlog.wake() }
    }
}
