package import BeaconModel
import Glibc

/// The two ends of a pseudo-terminal.
///
/// No program that another thread starts meanwhile inherits them, as it may with `openpty`: it would keep the line open.
package struct PseudoTerminalPair {
    /// Non-blocking.
    package let master: CInt
    package let slave: CInt

    /// The caller closes both ends.
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

    /// TIOCGPTPEER and TIOCSPTLCK of <asm-generic/ioctls.h>, macros that Swift can't read: the other end of a
    /// pseudo-terminal, and whether that is kept from being opened.
    private static let peer: UInt = 0x5441
    private static let lock: UInt = 0x4004_5431
}
