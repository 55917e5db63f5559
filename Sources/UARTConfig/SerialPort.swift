import BeaconModel
import Glibc
package import ModuleDialogues
package import SystemIO

/// A raw serial line that only moves bytes: 8 data bits, no parity, 1 stop bit, no flow control.
package struct SerialPort: ~Copyable {
    package let path: String
    private let descriptor: CInt

    /// Opens the line at 115200 baud, with exclusive access by `flock` and `TIOCEXCL`.
    package static func open(_ path: String) throws(SerialPortError) -> SerialPort {
        let descriptor = Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SerialPortError(path, "open it", errorNumber: errno) }
        do throws(SerialPortError) {
            try configure(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        return SerialPort(path: path, descriptor: descriptor)
    }

    deinit {
        // The last bytes must be sent. But close would wait for bytes that the device does not accept, half a minute
        // with some drivers.
        let hasLeft = Self.drain(descriptor, limit: .milliseconds(200))
        tcflush(descriptor, hasLeft ? TCIFLUSH : TCIOFLUSH)
        // On a pseudo-terminal the exclusive mode would outlive this descriptor.
        _ = ioctl(descriptor, UInt(TIOCNXCL))
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits for bytes.
    ///
    /// - Returns: the received bytes, empty after `timeout`; `nil` when `wakeup` was woken.
    package borrowing func read(
        timeout: Duration, wakeup: WakeupPipe
    ) throws(SerialPortError) -> [UInt8]? {
        let (readiness, woken) = try wait(for: .readable, timeout: timeout, wakeup: wakeup)
        if woken { return nil }
        if readiness.isEmpty { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return [] }
            throw SerialPortError(path, "read", errorNumber: errno)
        }
        // A line whose device has been removed is always readable and returns no bytes.
        guard count > 0 else { throw .vanished(path: path) }
        return Array(buffer[0..<count])
    }

    /// Writes all of `bytes`. Waits up to 5 s for a device that does not accept them.
    package borrowing func write(_ bytes: [UInt8]) throws(SerialPortError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                let readiness = try wait(for: .writable, timeout: .seconds(5), wakeup: nil).readiness
                if readiness.isEmpty { throw SerialPortError(path, "write", errorNumber: ETIMEDOUT) }
            } else if errno != EINTR {
                throw SerialPortError(path, "write", errorNumber: errno)
            }
        }
    }

    /// Changes the speed once all written bytes have been sent.
    ///
    /// - Parameter baudRate: a rate that termios names, 1200 to 921600.
    package borrowing func setBaudRate(_ baudRate: Int) throws(SerialPortError) {
        Self.drain(descriptor, limit: .seconds(1))
        try Self.setSpeed(descriptor, path, baudRate, TCSANOW)
    }

    /// Drives DTR and RTS low for 100 ms. A line without them is left as it is.
    package borrowing func pulseControlLines(wakeup: WakeupPipe) throws(SerialPortError) {
        var lines = TIOCM_DTR | TIOCM_RTS
        guard ioctl(descriptor, UInt(TIOCMBIC), &lines) == 0 else { return }
        _ = try wait(for: [], timeout: .milliseconds(100), wakeup: wakeup)
        _ = ioctl(descriptor, UInt(TIOCMBIS), &lines)
    }

    /// Lends the descriptor to a program that is to use the line.
    package borrowing func withDescriptor<Result, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(descriptor)
    }

    private borrowing func wait(
        for interest: Readiness, timeout: Duration, wakeup: WakeupPipe?
    ) throws(SerialPortError) -> (readiness: Readiness, woken: Bool) {
        do throws(SystemError) {
            return try waitUntilReady(descriptor, for: interest, wakeup: wakeup, timeout: timeout)
        } catch {
            throw .system(path: path, error)
        }
    }

    private static func configure(_ descriptor: CInt, _ path: String) throws(SerialPortError) {
        guard isatty(descriptor) == 1 else { throw .notASerialPort(path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .busy(path: path) }
        _ = ioctl(descriptor, UInt(TIOCEXCL))
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            throw SerialPortError(path, "read its settings", errorNumber: errno)
        }
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
        settings.c_cflag &= ~tcflag_t(CSTOPB) & ~tcflag_t(CRTSCTS)
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            throw SerialPortError(path, "set it to raw mode", errorNumber: errno)
        }
        try setSpeed(descriptor, path, 115_200, TCSANOW)
        tcflush(descriptor, TCIOFLUSH)
    }

    private static func setSpeed(
        _ descriptor: CInt, _ path: String, _ baudRate: Int, _ when: CInt
    ) throws(SerialPortError) {
        guard let speed = speeds[baudRate] else { throw .wrongSpeed(path: path, baudRate: baudRate) }
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else {
            throw SerialPortError(path, "read its settings", errorNumber: errno)
        }
        cfsetspeed(&settings, speed_t(speed))
        guard tcsetattr(descriptor, when, &settings) == 0 else {
            throw SerialPortError(path, "set \(baudRate) baud", errorNumber: errno)
        }
        // A driver may accept the call and keep its own rate.
        guard tcgetattr(descriptor, &settings) == 0, cfgetospeed(&settings) == speed_t(speed) else {
            throw .wrongSpeed(path: path, baudRate: baudRate)
        }
    }

    /// Waits until all written bytes have been sent. `tcdrain` would wait forever for a device that accepts nothing.
    ///
    /// - Returns: whether they have been sent.
    @discardableResult
    private static func drain(_ descriptor: CInt, limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        var waiting: CInt = 0
        while ioctl(descriptor, UInt(TIOCOUTQ), &waiting) == 0, waiting > 0 {
            if ContinuousClock.now >= end { return false }
            usleep(1000)
        }
        return true
    }

    private static let speeds: [Int: Int32] = [
        1200: B1200, 2400: B2400, 4800: B4800, 9600: B9600, 19_200: B19200, 38_400: B38400, 57_600: B57600,
        115_200: B115200, 230_400: B230400, 460_800: B460800, 921_600: B921600,
    ]
}
