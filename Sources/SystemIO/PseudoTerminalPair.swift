package import BeaconModel
import Glibc

/// The two ends of a pseudo-terminal.
///
/// The ends are not inherited by programs that other threads start meanwhile, which can happen with `openpty` and would
/// keep the line open.
package struct PseudoTerminalPair {
    /// Master end, non-blocking.
    package let master: CInt
    package let slave: CInt

    /// Opens a pseudo-terminal. The caller must close both ends.
    package static func open() throws(SystemError) -> PseudoTerminalPair {
        let flags = O_RDWR | O_NOCTTY | O_CLOEXEC
        let master = Glibc.open("/dev/ptmx", flags | O_NONBLOCK)
        guard master >= 0 else { throw SystemError("open a pseudo-terminal", errorNumber: errno) }
        var isLocked: CInt = 0
        _ = ioctl(master, Self.lock, &isLocked)
        let slave = ioctl(master, Self.peer, flags)
        guard slave >= 0 else {
            let errorNumber = errno
            close(master)
            throw SystemError("open the other end of a pseudo-terminal", errorNumber: errorNumber)
        }
        return PseudoTerminalPair(master: master, slave: slave)
    }

    /// Constants TIOCGPTPEER and TIOCSPTLCK of <asm-generic/ioctls.h>, macros that Swift cannot import. The first opens
    /// the other end of a pseudo-terminal; the second locks or unlocks it.
    private static let peer: UInt = 0x5441
    private static let lock: UInt = 0x4004_5431
}
