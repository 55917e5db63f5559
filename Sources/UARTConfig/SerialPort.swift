import Glibc
public import SystemIO

/// A serial line that only moves bytes: 115200 baud, 8 data bits, no parity, 1 stop bit, no flow control, raw.
public struct SerialPort: ~Copyable {
    public let path: String
    private let descriptor: CInt

    /// Opens the line and takes it for this process alone, by `flock` and `TIOCEXCL`.
    public static func open(_ path: String) throws(SerialPortError) -> SerialPort {
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
        // On a pseudo-terminal the exclusive mode would outlive this descriptor.
        _ = ioctl(descriptor, UInt(TIOCNXCL))
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits for bytes.
    ///
    /// - Returns: what has come, empty after `timeout`; `nil` when `wakeup` was woken.
    public borrowing func read(
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
        // A line whose device is gone is always readable and gives nothing.
        guard count > 0 else { throw .vanished(path: path) }
        return Array(buffer[0..<count])
    }

    /// Writes all of `bytes`.
    public borrowing func write(_ bytes: [UInt8], wakeup: WakeupPipe) throws(SerialPortError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.write(descriptor, raw.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                let (readiness, woken) = try wait(for: .writable, timeout: .seconds(5), wakeup: wakeup)
                if woken { return }
                if readiness.isEmpty { throw SerialPortError(path, "write", errorNumber: ETIMEDOUT) }
            } else if errno != EINTR {
                throw SerialPortError(path, "write", errorNumber: errno)
            }
        }
    }

    private borrowing func wait(
        for interest: Readiness, timeout: Duration, wakeup: WakeupPipe
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
        cfsetspeed(&settings, speed_t(B115200))
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            throw SerialPortError(path, "set 115200 baud", errorNumber: errno)
        }
        // A driver may accept the call and keep its own rate.
        guard tcgetattr(descriptor, &settings) == 0, cfgetospeed(&settings) == speed_t(B115200) else {
            throw .wrongSpeed(path: path)
        }
        tcflush(descriptor, TCIOFLUSH)
    }
}
