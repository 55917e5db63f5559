import Glibc
import Logging
import MQTTBridge
import Publishing
import SyntheticRecords
import SystemIO
import TestSupport
import Testing

@testable import RecordOutbox
@testable import RecordOutboxTests

/// A connection that lives, on which acknowledgements are lost.
@Suite(.timeLimit(.minutes(10))) struct UnansweredTests {
    private func configuration(_ port: UInt16) -> BrokerConfiguration {
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "gateway", keepAlive: 5)
        configuration.inFlight = 20
        configuration.acknowledgeTimeout = .milliseconds(800)
        return configuration
    }

    @Test("A whole window of them: the connection is given up, which is said, and the records come by the next one")
    func window() async throws {
        try await TestBroker.with { broker in
            let consumer = Consumer()
            try await consumer.connect(port: broker.port)
            let proxy = try CuttingProxy(to: broker.port)
            let log = KeptLog()
            try await DeliveryRig.with(configuration(proxy.port), log: log) { rig in
                await rig.publish(1...100)
                #expect(await eventually { await rig.outbox.waiting == 0 })
                proxy.swallow(acknowledgements: 20)
                await rig.publish(101...200)
                #expect(await eventually { await rig.publisher.trouble?.contains("does not acknowledge") == true })
                await rig.expectDelivery("a window of acknowledgements lost", 1...200, to: consumer)
                #expect(await eventually { await rig.outbox.waiting == 0 })
                #expect(await rig.publisher.trouble == nil)
                #expect(proxy.counts.swallowed == 20)
                #expect(await consumer.tally.duplicates <= 20)
            }
            #expect(log.lines.contains { $0.contains("does not acknowledge: 20 messages wait") }, "\(log.lines)")
            proxy.close()
            await consumer.disconnect()
        }
    }

    @Test("A single one among others that come: its record leaves the outbox all the same")
    func single() async throws {
        try await TestBroker.with { broker in
            let proxy = try CuttingProxy(to: broker.port)
            try await DeliveryRig.with(configuration(proxy.port)) { rig in
                #expect(await eventually { await rig.publisher.isConnected })
                proxy.swallow(acknowledgements: 1)
                let publishing = Task { await rig.publish(1...100_000, rate: 500) }
                #expect(await eventually { proxy.counts.connections > 1 })
                publishing.cancel()
                await publishing.value
                #expect(await eventually { await rig.outbox.waiting == 0 })
                #expect(proxy.counts.swallowed == 1)
            }
            proxy.close()
        }
    }

    @Test("All of them: it is tried again and again, and said all the while")
    func all() async throws {
        let broker = try SilentBroker()
        try await DeliveryRig.with(configuration(broker.port)) { rig in
            await rig.publish(1...20)
            #expect(await eventually { broker.count >= 60 })
            #expect(await rig.publisher.trouble?.contains("does not acknowledge") == true)
            #expect(await rig.outbox.waiting == 20)
        }
        broker.close()
    }

    /// As a child process inherits them.
    private func copiesOfConnections(to port: UInt16) -> [CInt] {
        let connections = (0..<1024 as Range<CInt>).filter { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
            }
            return status == 0 && address.sin_family == sa_family_t(AF_INET)
                && UInt16(bigEndian: address.sin_port) == port
        }
        return connections.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    }

    @Test("The connection that is given up ends for the broker, also when a child process has its descriptor")
    func inherited() async throws {
        // It serves one connection after the other.
        let broker = try SilentBroker()
        try await DeliveryRig.with(configuration(broker.port)) { rig in
            await rig.publish(1...20)
            #expect(await eventually { broker.count >= 20 })
            let copies = copiesOfConnections(to: broker.port)
            defer { for copy in copies { close(copy) } }
            #expect(!copies.isEmpty)
            #expect(await eventually { broker.count >= 40 })
        }
        broker.close()
    }

    @Test("A confirmation of a subscription: a consumer subscribes again by another connection")
    func subscription() async throws {
        let broker = try SilentBroker()
        let consumer = MQTTConsumer(
            configuration: configuration(broker.port), filters: ["a/#"], backoff: Backoff(longest: .milliseconds(100)),
            logger: .init(label: "consumer") { _ in KeptLog() }, take: { _ in .stored([]) })
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        #expect(await eventually { broker.subscriptions >= 3 })
        running.cancel()
        _ = try? await running.value
        broker.close()
    }

    @Test("A consumer to which messages come waits for the confirmation of its subscription")
    func backlog() async throws {
        let broker = try SilentBroker(floods: true)
        let start = ContinuousClock.now
        let latest = LockedValue(start)
        var configuration = configuration(broker.port)
        configuration.version = .threeOneOne
        let consumer = MQTTConsumer(
            configuration: configuration, filters: ["a/#"], backoff: Backoff(longest: .milliseconds(100)),
            logger: .init(label: "consumer") { _ in KeptLog() },
            take: { _ in
                latest.withLock { $0 = .now }
                return .stored([])
            })
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        // Three times as long as an answer may take.
        #expect(await eventually { latest.withLock(\.self) - start > .milliseconds(2400) })
        #expect(broker.subscriptions == 1)
        running.cancel()
        _ = try? await running.value
        broker.close()
    }

    @Test("What the kernel has sent, and the other end has confirmed, is known of a TCP socket")
    func transmission() throws {
        let (listener, port) = try LoopbackSocket.listen()
        let near = try LoopbackSocket.connect(to: port)
        _ = try waitUntilReady(listener, for: .readable, wakeup: nil, timeout: .seconds(10))
        let far = try #require(LoopbackSocket.accept(listener))
        defer { for descriptor in [listener, near, far] { close(descriptor) } }
        #expect(TransmissionProgress(socket: near)?.isSending == false)
        let before = try #require(TransmissionProgress(socket: near)).confirmed
        // More than the buffers of both ends take.
        let bytes = [UInt8](repeating: 1, count: 65_536)
        var written = 0
        while case let count = send(near, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)), count > 0 {
            written += count
        }
        let full = try #require(TransmissionProgress(socket: near))
        #expect(full.isSending)
        #expect(full.confirmed > before && full.confirmed < before + UInt64(written))
        var (received, buffer) = (0, bytes)
        while received < written, case let count = read(far, &buffer, buffer.count), count > 0 { received += count }
        let end = before + UInt64(written)
        while TransmissionProgress(socket: near) != nil, TransmissionProgress(socket: near)?.confirmed != end {
            _ = try waitUntilReady(near, for: .readable, wakeup: nil, timeout: .milliseconds(1))
        }
        #expect(TransmissionProgress(socket: near)?.isSending == false)
        #expect(TransmissionProgress(socket: 0)?.isSending == nil)
    }
}
