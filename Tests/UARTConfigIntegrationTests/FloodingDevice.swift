import Glibc
import SystemIO

/// A device on a pseudo-terminal that sends as fast as it can, and notes what it receives.
final class FloodingDevice: Sendable {
    let portPath: String
    private let received: AsyncStream<UInt8>
    private let wakeup: WakeupPipe

    init() throws {
        let ends = try PseudoTerminalPair.open()
        let (device, port) = (ends.master, ends.slave)
        var name = [CChar](repeating: 0, count: 256)
        ttyname_r(port, &name, name.count)
        portPath = String(decoding: name.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        let (received, continuation) = AsyncStream<UInt8>.makeStream()
        self.received = received
        let wakeup = try WakeupPipe()
        self.wakeup = wakeup
        try DedicatedThread.start(name: "flood") { [device, port] in
            Self.flood(device, until: wakeup, continuation)
            close(device)
            close(port)
            continuation.finish()
        }
    }

    func stop() { wakeup.wake() }

    /// Waits until `count` bytes of one value have come.
    func waitForBytes(_ count: Int, equalTo value: UInt8) async -> Bool {
        var left = count
        for await byte in received where byte == value {
            left -= 1
            if left == 0 { return true }
        }
        return false
    }

    private static func flood(
        _ device: CInt, until wakeup: WakeupPipe, _ continuation: AsyncStream<UInt8>.Continuation
    ) {
        let noise = [UInt8](repeating: 0x2A, count: 4096)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            guard let ready = try? waitUntilReady(device, for: [.readable, .writable], wakeup: wakeup, timeout: nil),
                !ready.woken
            else { return }
            _ = write(device, noise, noise.count)
            let count = read(device, &buffer, buffer.count)
            for index in 0..<max(0, count) { continuation.yield(buffer[index]) }
        }
    }
}
