import BeaconModel
import CLinux
import Glibc
import SystemIO

/// A socket for datagrams in a directory of its own, as service managers and journals have one.
package final class DatagramInbox: Sendable {
    package let path: String
    /// The datagrams that have arrived, for one reader.
    package let messages: AsyncStream<String>
    private let directory: TemporaryDirectory
    private let continuation: AsyncStream<String>.Continuation
    private let wakeup: WakeupPipe

    package init() throws {
        directory = try TemporaryDirectory()
        path = directory.path + "/socket"
        wakeup = try WakeupPipe()
        (messages, continuation) = AsyncStream.makeStream()
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError("create a socket", errorNumber: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw SystemError("bind \(path)", errorNumber: errno)
        }
        try DedicatedThread.start(name: "datagrams") { [continuation, wakeup] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while let ready = try? waitUntilReady(descriptor, for: .readable, wakeup: wakeup, timeout: nil),
                !ready.woken
            {
                let count = read(descriptor, &buffer, buffer.count)
                if count > 0 { continuation.yield(String(decoding: buffer[..<count], as: UTF8.self)) }
            }
            close(descriptor)
            continuation.finish()
        }
    }

    deinit { wakeup.wake() }

    /// The next datagram that fulfils `condition`; those before it are dropped. The time limit of the test bounds the
    /// wait.
    package func first(where condition: (String) -> Bool) async -> String? {
        for await message in messages where condition(message) { return message }
        return nil
    }
}
