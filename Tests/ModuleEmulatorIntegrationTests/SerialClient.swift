import BeaconModel
import Glibc
import SystemIO

/// A program that opens the emulated module's port.
struct SerialClient: ~Copyable {
    private let descriptor: CInt

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open \(path)", errorNumber: errno) }
    }

    deinit { close(descriptor) }

    /// Keeps everybody else out.
    func claim() { _ = ioctl(descriptor, UInt(TIOCEXCL)) }

    /// Whether somebody claimed the port.
    var isClaimed: Bool {
        // TIOCGEXCL of <asm-generic/ioctls.h>, a macro that Swift can't read.
        var claimed: CInt = 0
        return ioctl(descriptor, 0x8004_5440, &claimed) == 0 && claimed != 0
    }

    /// Sets the rate, for example to `B9600`.
    func set(speed: Int32) {
        var settings = termios()
        tcgetattr(descriptor, &settings)
        cfsetspeed(&settings, speed_t(speed))
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    /// Blocks until the port is gone.
    func waitForHangUp() throws -> Bool {
        try waitUntilReady(descriptor, for: [], wakeup: nil, timeout: .seconds(10)).readiness.contains(.hangUp)
    }

    func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw SystemError("write to the port", errorNumber: errno)
        }
    }

    /// Reads until the text so far ends with `end`; what there is after 10 s without it.
    func read(until end: String) throws -> String {
        let deadline = ContinuousClock.now + .seconds(10)
        var text: [UInt8] = []
        while !text.reversed().starts(with: end.utf8.reversed()) {
            let left = deadline - .now
            guard left > .zero else { break }
            guard
                try waitUntilReady(descriptor, for: .readable, wakeup: nil, timeout: left).readiness
                    .contains(.readable)
            else { continue }
            var byte: UInt8 = 0
            if Glibc.read(descriptor, &byte, 1) == 1 { text.append(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
