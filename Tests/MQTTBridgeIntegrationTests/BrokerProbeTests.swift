import Glibc
import SystemIO
import TestSupport
import Testing

@testable import BeaconModel
@testable import MQTTBridge
@testable import Publishing

@Suite("BrokerProbe", .timeLimit(.minutes(10))) struct BrokerProbeTests {
    private func configuration(port: UInt16) -> BrokerConfiguration {
        BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "gateway")
    }

    private func cause(_ configuration: BrokerConfiguration, within limit: Duration = .seconds(30)) async -> MQTTError
        .Cause?
    {
        do throws(MQTTError) {
            _ = try await BrokerProbe.connect(configuration, within: limit)
            return nil
        } catch {
            return error.cause
        }
    }

    @Test("A broker that accepts is found to")
    func accepted() async throws {
        try await TestBroker.with { broker in
            #expect(await cause(configuration(port: broker.port)) == nil)
        }
    }

    @Test("A broker that wants a password says so")
    func refused() async throws {
        try await TestBroker.with(configuration: "allow_anonymous false") { broker in
            #expect(await cause(configuration(port: broker.port)) == .refused(0x87))
        }
    }

    @Test("Nobody at the port is a refused connection")
    func nobody() async throws {
        let listener = try SilentListener()
        let port = listener.port
        listener.end()
        #expect(await cause(configuration(port: port)) == .system(ECONNREFUSED))
    }

    @Test("Whether a broker answers at another port is found out, also of one that wants a password")
    func otherPort() async throws {
        let listener = try SilentListener()
        let nobody = listener.port
        listener.end()
        let wrong = configuration(port: nobody)
        #expect(await !BrokerProbe.answers(wrong, at: nobody, within: .seconds(30)))
        for lines in ["allow_anonymous true", "allow_anonymous false"] {
            try await TestBroker.with(configuration: lines) { broker in
                #expect(await BrokerProbe.answers(wrong, at: broker.port, within: .seconds(30)))
            }
        }
    }

    @Test("Somebody who accepts the connection and says nothing is given up")
    func silent() async throws {
        let listener = try SilentListener()
        defer { listener.end() }
        #expect(
            await cause(configuration(port: listener.port), within: .milliseconds(200)) == .timedOut)
    }

    @Test("A connected gateway of the same identity stays connected")
    func undisturbed() async throws {
        try await TestBroker.with { broker in
            let gateway = try MQTTConnection(configuration: configuration(port: broker.port), will: nil)
            try gateway.start()
            var events = gateway.events.makeAsyncIterator()
            _ = try await events.next()
            #expect(await cause(configuration(port: broker.port)) == nil)
            // A session that was taken over would end here with an error.
            try gateway.subscribe(to: "anything")
            var isSubscribed = false
            if case .subscribed? = try await events.next() { isSubscribed = true }
            #expect(isSubscribed)
            gateway.disconnect()
        }
    }
}

/// A port that takes connections, and never says anything.
private struct SilentListener {
    let port: UInt16
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && listen(descriptor, 5) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard status else { throw SystemError("listen", errorNumber: errno) }
        port = UInt16(bigEndian: address.sin_port)
    }

    func end() { close(descriptor) }
}
