package import BeaconModel
import CLinux
import Glibc
import SystemIO

/// TCP on 127.0.0.1.
package enum LoopbackSocket {
    /// Ports of programs that tests start. Above them the kernel chooses those of outgoing connections.
    private static let ports: ClosedRange<UInt16> = 20_000...31_999

    /// Listens on a free port.
    package static func listen() throws(SystemError) -> (descriptor: CInt, port: UInt16) {
        let (descriptor, port) = try bindFreePort()
        guard Glibc.listen(descriptor, 64) == 0 else {
            let errorNumber = errno
            close(descriptor)
            throw SystemError("listen on port \(port)", errorNumber: errorNumber)
        }
        return (descriptor, port)
    }

    /// Takes a connection that is waiting; `nil` if there is none.
    ///
    /// No program that another thread starts meanwhile inherits it: the other end wouldn't notice that it was closed.
    package static func accept(_ listener: CInt) -> CInt? {
        let descriptor = accept4(listener, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
        return descriptor >= 0 ? descriptor : nil
    }

    /// Starts to connect, without blocking.
    package static func connect(to port: UInt16) throws(SystemError) -> CInt {
        let descriptor = try make()
        let status = withAddress(port) { Glibc.connect(descriptor, $0, $1) }
        guard status == 0 || errno == EINPROGRESS else {
            let errorNumber = errno
            close(descriptor)
            throw SystemError("connect to port \(port)", errorNumber: errorNumber)
        }
        return descriptor
    }

    /// Different ports that nobody listens on at the moment.
    package static func freePorts(_ count: Int) throws(SystemError) -> [UInt16] {
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        var ports: [UInt16] = []
        for _ in 0..<count {
            let (descriptor, port) = try bindFreePort()
            descriptors.append(descriptor)
            ports.append(port)
        }
        return ports
    }

    /// Starts servers on ports that nobody listens on, and on others if a port is taken meanwhile.
    ///
    /// - Parameter start: throws `ServerStartError` when a server ends at once.
    package static func withFreePorts<Servers>(
        _ count: Int, isolation: isolated (any Actor)? = #isolation,
        _ start: (_ ports: [UInt16]) async throws -> Servers
    ) async throws -> Servers {
        for _ in 0..<10 {
            do {
                return try await start(freePorts(count))
            } catch let error as ServerStartError where error.isPortTaken {
                continue
            }
        }
        return try await start(freePorts(count))
    }

    private static func bindFreePort() throws(SystemError) -> (CInt, UInt16) {
        for _ in 0..<200 {
            let port = UInt16.random(in: ports)
            let descriptor = try make()
            if withAddress(port, { bind(descriptor, $0, $1) }) == 0 { return (descriptor, port) }
            close(descriptor)
        }
        throw SystemError("find a free port", errorNumber: EADDRINUSE)
    }

    private static func make() throws(SystemError) -> CInt {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemError("make a socket", errorNumber: errno) }
        var one: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
        return descriptor
    }

    private static func withAddress<Result>(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
