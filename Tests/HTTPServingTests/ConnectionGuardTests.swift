import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPServing

@Suite("What a connection is given up for") struct ConnectionGuardTests {
    /// Takes what is written when the test says so.
    private final class Client: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private var untaken: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if let promise { untaken.append(promise) }
        }

        func take(_ count: Int = 1) {
            for promise in untaken.prefix(count) { promise.succeed(()) }
            untaken.removeFirst(min(count, untaken.count))
        }
    }

    /// A connection on which requests came and are answered, at a time that the test gives.
    private struct Rig {
        let channel = EmbeddedChannel()
        let client = Client()
        let connections: OpenConnections

        init(mostOfAll: Int = 10) throws {
            connections = OpenConnections(limits: ConnectionLimits(mostOfOne: 10, mostOfAll: mostOfAll))
            try channel.pipeline.syncOperations.addHandler(client)
            try channel.pipeline.syncOperations.addHandler(
                ConnectionGuard(connections: connections, patience: HeaderPatience(first: .hours(9), next: .hours(9))))
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), promise: nil)
        }

        func ask() throws {
            let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/v1/positives")
            try channel.writeInbound(HTTPRequestPart.head(head))
            if channel.isActive { try channel.writeInbound(HTTPRequestPart.end(nil)) }
        }

        func answer(_ part: HTTPResponsePart = .head(HTTPResponse(status: .ok))) {
            channel.write(part, promise: nil)
        }

        func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        func say(isWritable: Bool) {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
        }

        /// Whether somebody else gets a connection.
        func admitsAnother() throws -> Bool {
            let other = EmbeddedChannel()
            defer { _ = try? other.finish(acceptAlreadyClosed: true) }
            return connections.open(other, by: "another") != nil
        }

        func end() {
            client.take(.max)
            _ = try? channel.finish(acceptAlreadyClosed: true)
        }
    }

    // 128 such clients behind one address had kept all others of it out for ever.
    @Test func `An answer that nobody takes for a minute ends the connection`() throws {
        let rig = try Rig()
        defer { rig.end() }
        try rig.ask()
        rig.wait(600)
        rig.answer()
        rig.answer(.body(ByteBuffer(string: "a")))
        rig.wait(59)
        #expect(rig.channel.isActive)
        rig.wait(1)
        #expect(!rig.channel.isActive)
    }

    @Test func `Who takes a part of an answer has another minute for the next`() throws {
        let rig = try Rig()
        defer { rig.end() }
        try rig.ask()
        rig.answer()
        rig.answer(.body(ByteBuffer(string: "a")))
        rig.wait(59)
        rig.client.take()
        rig.wait(59)
        #expect(rig.channel.isActive)
        rig.client.take()
        rig.wait(3600)
        #expect(rig.channel.isActive)
    }

    @Test func `A stream of events stays as long as somebody reads it`() throws {
        let rig = try Rig()
        defer { rig.end() }
        try rig.ask()
        for _ in 0..<100 {
            rig.answer(.body(ByteBuffer(string: ": still here\n\n")))
            rig.wait(10)
            rig.client.take()
        }
        #expect(rig.channel.isActive)
        for _ in 0..<6 {
            rig.answer(.body(ByteBuffer(string: ": still here\n\n")))
            rig.wait(10)
        }
        #expect(!rig.channel.isActive)
    }

    @Test func `More requests than may wait for answers end the connection`() throws {
        let rig = try Rig()
        defer { rig.end() }
        for _ in 0..<ConnectionGuard.mostUnanswered { try rig.ask() }
        #expect(rig.channel.isActive)
        try rig.ask()
        #expect(!rig.channel.isActive)
        var parts = 0
        while try rig.channel.readInbound(as: HTTPRequestPart.self) != nil { parts += 1 }
        #expect(parts == 2 * ConnectionGuard.mostUnanswered)
    }

    @Test func `Any number of requests may come that were answered`() throws {
        let rig = try Rig()
        defer { rig.end() }
        for _ in 0..<10 * ConnectionGuard.mostUnanswered {
            try rig.ask()
            rig.answer()
            rig.answer(.end(nil))
            rig.client.take(2)
        }
        #expect(rig.channel.isActive)
    }

    @Test func `A full server gives up a connection that takes nothing, and none that is being answered`() throws {
        let rig = try Rig(mostOfAll: 1)
        defer { rig.end() }
        try rig.ask()
        #expect(try !rig.admitsAnother())
        // It was slow for a moment.
        rig.say(isWritable: false)
        rig.say(isWritable: true)
        #expect(try !rig.admitsAnother())
        rig.say(isWritable: false)
        #expect(try rig.admitsAnother())
        #expect(!rig.channel.isActive)
    }
}
