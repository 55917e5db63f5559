package import BeaconModel
import CLinux
import Glibc

/// A pseudo-terminal in raw mode that stays open while clients come and go.
package struct PseudoTerminal: ~Copyable {
    /// Master end, non-blocking.
    private let master: CInt
    /// Slave end. It keeps the master from hanging up when a client closes the port.
    private let slave: CInt
    /// Inotify instance that reports when a client closes the port; -1 if unavailable.
    private let closings: CInt
    /// Path of the port for clients.
    package let path: String

    package struct Events: Sendable {
        package var readiness: Readiness
        /// Whether the wakeup pipe was woken.
        package var isWoken: Bool
        /// Readiness of the other descriptor.
        package var other: Readiness = []

        package init(readiness: Readiness, isWoken: Bool) {
            self.readiness = readiness
            self.isWoken = isWoken
        }
    }

    /// - Parameter baud: the initial rate in bit/s, until a client sets another.
    package init(baud: Int) throws(SystemError) {
        let ends = try PseudoTerminalPair.open()
        do throws(SystemError) {
            path = try Self.prepare(ends.slave, baud: baud)
        } catch {
            close(ends.master)
            close(ends.slave)
            throw error
        }
        master = ends.master
        slave = ends.slave
        closings = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        if closings >= 0 { inotify_add_watch(closings, path, UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)) }
    }

    /// Sets the slave to raw mode and the given rate.
    ///
    /// - Returns: the path of the slave.
    private static func prepare(_ slave: CInt, baud: Int) throws(SystemError) -> String {
        var name = [CChar](repeating: 0, count: 128)
        let status = ttyname_r(slave, &name, name.count)
        guard status == 0 else { throw SystemError("name a pseudo-terminal", errorNumber: status) }
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else {
            throw SystemError("read the settings of a pseudo-terminal", errorNumber: errno)
        }
        cfmakeraw(&settings)
        if let speed = Self.speeds.first(where: { $0.baud == baud })?.speed { cfsetspeed(&settings, speed) }
        guard tcsetattr(slave, TCSANOW, &settings) == 0 else {
            throw SystemError("set a pseudo-terminal to raw mode", errorNumber: errno)
        }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    deinit {
        if closings >= 0 { close(closings) }
        close(master)
        close(slave)
    }

    /// Waits like `waitUntilReady`. When a client closes the port during the wait, makes the port available to all
    /// clients again.
    ///
    /// - Parameter other: another descriptor to wait for, -1 for none, and the events to wait for.
    /// - Returns: `nil` when waiting fails.
    package func wait(
        for interest: Readiness, wakeup: WakeupPipe, timeout: Duration?,
        other: (descriptor: CInt, interest: Readiness) = (-1, [])
    ) -> Events? {
        let milliseconds = timeout.map { CInt(min(max($0.inSeconds, 0), 3600) * 1000) + 1 } ?? -1
        var descriptors: [4 of pollfd] = [
            pollfd(fd: master, events: interest.rawValue, revents: 0),
            pollfd(fd: wakeup.readEnd, events: Readiness.readable.rawValue, revents: 0),
            pollfd(fd: closings, events: Readiness.readable.rawValue, revents: 0),
            pollfd(fd: other.descriptor, events: other.interest.rawValue, revents: 0),
        ]
        let count = withUnsafeMutablePointer(to: &descriptors) {
            $0.withMemoryRebound(to: pollfd.self, capacity: 4) { poll($0, 4, milliseconds) }
        }
        guard count >= 0 else { return errno == EINTR ? Events(readiness: [], isWoken: false) : nil }
        if descriptors[2].revents != 0 { endExclusiveUse() }
        var result = Events(
            readiness: Readiness(rawValue: descriptors[0].revents), isWoken: descriptors[1].revents != 0)
        result.other = Readiness(rawValue: descriptors[3].revents)
        return result
    }

    /// Ends the exclusive use of the port. A serial port clears `TIOCEXCL` when its last client closes it. A
    /// pseudo-terminal does not, and would refuse all later clients that are not root.
    private func endExclusiveUse() {
        var events: [1024 of UInt8] = .init(repeating: 0)
        while withUnsafeMutableBytes(of: &events, { Glibc.read(closings, $0.baseAddress, $0.count) }) > 0 {}
        _ = ioctl(slave, UInt(TIOCNXCL))
    }

    /// Rate in bit/s set by the client; 0 for a rate that the UARTs of modules do not support.
    package var baud: Int {
        var settings = termios()
        // On Linux the master reports the settings of the slave.
        guard tcgetattr(master, &settings) == 0 else { return 0 }
        let speed = cfgetospeed(&settings)
        return Self.speeds.first { $0.speed == speed }?.baud ?? 0
    }

    private static let speeds: [(speed: speed_t, baud: Int)] = [
        (speed_t(B1200), 1200), (speed_t(B2400), 2400), (speed_t(B4800), 4800), (speed_t(B9600), 9600),
        (speed_t(B19200), 19_200), (speed_t(B38400), 38_400), (speed_t(B57600), 57_600),
        (speed_t(B115200), 115_200), (speed_t(B230400), 230_400), (speed_t(B460800), 460_800),
        (speed_t(B921600), 921_600),
    ]

    /// Reads the bytes written by the client.
    ///
    /// - Returns: the bytes; empty when there are none.
    package func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(master, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, count)))
    }

    /// Writes bytes to the client.
    ///
    /// - Returns: the number of bytes written.
    package func write(_ bytes: [UInt8]) -> Int { max(0, Glibc.write(master, bytes, bytes.count)) }
}
