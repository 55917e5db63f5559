import Glibc
import Logging
import MQTTBridge
import Publishing
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import RecordOutboxTests

/// Whoever answers at the broker's address may be somebody else.
@Suite("A hostile broker", .timeLimit(.minutes(5))) struct HostileBrokerTests {
    private func consumer(of broker: SilentBroker, _ version: MQTTVersion, log: KeptLog) -> MQTTConsumer {
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: broker.port, clientID: "consumer")
        configuration.version = version == .five ? .five : .threeOneOne
        configuration.keepAlive = 5
        return MQTTConsumer(
            configuration: configuration, filters: ["a/#"], logger: .init(label: "consumer") { _ in log },
            take: { _ in .stored([]) })
    }

    private static func packet(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var length = body.count
        var packet = [kind]
        repeat {
            packet.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
            length >>= 7
        } while length > 0
        return packet + body
    }

    /// A message of QoS 2 with the topic "x", the number 1 and 200,000 bytes.
    private static let unreleased = packet(0x34, [0, 1, 0x78, 0, 1, 0] + [UInt8](repeating: 0x20, count: 200_000))

    @Test(
        arguments: [
            (MQTTVersion.threeOneOne, unreleased, "QoS 2"), (.five, unreleased, "QoS 2"),
            // CONNACK.
            (.threeOneOne, [0x20, 2, 0, 0], "twice"), (.five, [0x20, 3, 0, 0, 0], "twice"),
            // SUBACK with the number 9.
            (.threeOneOne, [0x90, 3, 0, 9, 1], "not requested"), (.five, [0x90, 4, 0, 9, 0, 1], "not requested"),
        ])
    func `A connection is left on which comes what nobody subscribed to`(
        version: MQTTVersion, packet: [UInt8], reason: String
    ) async throws {
        let broker = try SilentBroker(floods: true, with: packet)
        defer { broker.close() }
        let log = KeptLog()
        let consumer = consumer(of: broker, version, log: log)
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        #expect(
            await eventually {
                log.lines.contains { line in
                    line.hasPrefix("warning broker connection failed") && line.contains(reason)
                }
            }, "\(log.lines)")
        running.cancel()
        _ = try? await running.value
        // What the kernel has room for is among it.
        #expect(broker.flooded < 200_000_000)
    }

    // libmosquitto 2.0 has an assertion fail: the process had ended.
    @Test(
        .unsanitized("LeakSanitizer reports what libmosquitto had allocated for the packet"),
        arguments: [
            // PUBLISH, PUBACK, SUBACK, DISCONNECT and AUTH, each with the property 127, which there isn't.
            [0x30, 6, 0, 1, 0x78, 2, 0x7F, 1], [0x40, 6, 0, 1, 0, 2, 0x7F, 1], [0x90, 6, 0, 1, 2, 0x7F, 1, 0],
            [0xE0, 4, 0, 2, 0x7F, 1], [0xF0, 4, 0x18, 2, 0x7F, 1],
        ] as [[UInt8]])
    func `A property that there isn't ends the connection, not the process`(packet: [UInt8]) async throws {
        let broker = try SilentBroker(floods: true, with: packet)
        defer { broker.close() }
        let log = KeptLog()
        let consumer = consumer(of: broker, .five, log: log)
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        #expect(
            await eventually {
                log.lines.contains { $0.hasPrefix("warning broker connection failed") }
            }, "\(log.lines)")
        running.cancel()
        _ = try? await running.value
    }

    // One message had kept the client reading for the batch that it began, and looking at nothing else.
    @Test func `A message doesn't keep a consumer from seeing what else comes`() async throws {
        // A message of QoS 1 on "a/x" with the number 1.
        let broker = try SilentBroker(
            floods: true, after: [0x32, 7, 0, 3, 0x61, 0x2F, 0x78, 0, 1], with: Self.unreleased)
        defer { broker.close() }
        let log = KeptLog()
        let consumer = consumer(of: broker, .threeOneOne, log: log)
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        #expect(await eventually { log.lines.contains { $0.contains("QoS 2") } }, "\(log.lines)")
        running.cancel()
        _ = try? await running.value
    }

    // Of 8.7 MB a second nothing had been acknowledged, and all of it kept.
    @Test func `A broker that reads nothing isn't read for ever`() async throws {
        // A message of QoS 1 with the topic "x" and the number 1.
        let message: [UInt8] = [0x32, 5, 0, 1, 0x78, 0, 1]
        let broker = try SilentBroker(
            floods: true, with: Array(repeating: message, count: 1000).flatMap(\.self), isDeaf: true)
        defer { broker.close() }
        let log = KeptLog()
        let consumer = consumer(of: broker, .threeOneOne, log: log)
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        // Keep-alive ends it, once the buffers of the kernel are full.
        #expect(
            await eventually(within: .seconds(200)) {
                log.lines.contains { $0.hasPrefix("warning broker connection failed") }
            }, "\(log.lines)")
        running.cancel()
        _ = try? await running.value
        // Buffers of the kernel have most of it.
        #expect(broker.flooded < 20_000_000)
    }

    /// Sends messages of QoS 0 by TLS, without a pause, so that none ends where a record of TLS does.
    private static let misaligned = """
        import socket, ssl, sys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        # "x" on "x" is 6 bytes; a record has 16,384, and the first one 3 less.
        flood = bytes([0x30, 4, 0, 1, 0x78, 0x79]) * 32768
        while True:
            try:
                connection = context.wrap_socket(listener.accept()[0], server_side=True)
                connection.recv(4096)
                connection.sendall(bytes([0x20, 2, 0, 0]))
                connection.sendall(flood[:16381 // 6 * 6] + flood[:1])
                while True:
                    connection.sendall(flood[1:] + flood[:1])
            except OSError:
                pass
        """

    // libmosquitto reads on while OpenSSL has bytes of a record, and nothing was handed on.
    @Test func `By TLS a broker that never pauses doesn't keep a consumer from what it has read`() async throws {
        let certificates = try await TestCertificates()
        let server = try await certificates.server()
        let flood = try ChildProcess("python3", ["-c", Self.misaligned, server.certificate, server.key])
        defer { flood.send(signal: SIGKILL) }
        let port = try #require(await flood.output.first().flatMap { UInt16($0) })
        var configuration = BrokerConfiguration(host: "127.0.0.1", port: port, clientID: "consumer")
        configuration.version = .threeOneOne
        configuration.tls = TLSConfiguration()
        configuration.tls?.authority = .file(certificates.authority)
        let log = KeptLog()
        let largest = LockedValue((batches: 0, messages: 0))
        let consumer = MQTTConsumer(
            configuration: configuration, filters: ["x"], logger: .init(label: "consumer") { _ in log },
            take: { messages in
                largest.withLock { $0 = ($0.batches + 1, max($0.messages, messages.count)) }
                return .stored([])
            })
        let running = Task { try await consumer.run(prepare: {}, subscribed: { [] }) }
        #expect(await eventually { largest.withLock(\.batches) > 20 }, "\(log.lines)")
        running.cancel()
        _ = try? await running.value
        #expect(largest.withLock(\.messages) < 10_000)
    }
}
