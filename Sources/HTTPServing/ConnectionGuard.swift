import NIOCore
import NIOHTTPTypes

/// Channel handler that closes connections of clients with too many, and connections that keep the server waiting.
///
/// A header that arrives byte by byte never leaves the connection idle, so a complete header has a deadline. A request
/// in progress is not idle either, so the client must take what is written by a deadline.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: OpenConnections
    private let patience: HeaderPatience
    /// Identifier of the connection; `nil` if it is not counted.
    private var id: UInt64?
    private var stage = ConnectionLimits.Stage.header
    /// Number of requests whose header was read. There are several if a client does not wait for answers.
    private var unanswered = 0
    /// Whether a request's header was read, but not yet its end.
    private var isReading = false
    /// Parts and bytes of the request's body so far.
    private var body = (parts: 0, bytes: 0)
    /// Whether the data received last completed a part of a request.
    private var madePart = false
    private var deadline: Scheduled<Void>?
    /// Number of writes that the client has not taken yet.
    private var untaken = 0
    private var takingDeadline: Scheduled<Void>?
    /// Whether so much output is waiting that nothing more is written.
    private var isStalled = false
    /// Stage last reported to `connections`.
    private var shown = ConnectionLimits.Stage.header
    private var isEnded = false

    /// Maximum time for the client to take what is written.
    static let takingTime: TimeAmount = .seconds(60)
    /// Maximum number of requests that can wait for their answers.
    static let mostUnanswered = 8
    /// Number of body parts that are accepted in addition to one for every `averagePart` bytes. Each part costs as much
    /// as many bytes, and a chunk of one byte is a part.
    private static let mostShortParts = 1000
    private static let averagePart = 16

    init(connections: OpenConnections, patience: HeaderPatience) {
        self.connections = connections
        self.patience = patience
    }

    func channelActive(context: ChannelHandlerContext) {
        let client = ClientAddress.network(of: ClientAddress.of(context.channel.remoteAddress))
        id = connections.open(context.channel, by: client)
        guard id != nil else {
            // The connection gets no answer: a client with so many open does not read it.
            context.channel.end()
            return
        }
        expectHeader(context, within: patience.first)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        takingDeadline?.cancel()
        isEnded = true
        if let id { connections.close(id) }
        id = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        madePart = true
        // One read can deliver many requests.
        guard !isEnded else { return }
        switch unwrapInboundIn(data) {
        case .head:
            guard unanswered < Self.mostUnanswered else {
                isEnded = true
                context.channel.end()
                return
            }
            deadline?.cancel()
            deadline = nil
            unanswered += 1
            isReading = true
            body = (0, 0)
        case .body(let part):
            body.parts += 1
            body.bytes += part.readableBytes
            guard body.parts <= Self.mostShortParts + body.bytes / Self.averagePart else {
                isEnded = true
                context.channel.end()
                return
            }
        case .end: isReading = false
        }
        if unanswered > 0 { enter(isReading ? .body : .answer) }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Data arrived, but no complete request yet.
        if !madePart, unanswered == 0, stage == .idle {
            enter(.header)
            expectHeader(context, within: patience.first)
        }
        madePart = false
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), unanswered > 0 {
            unanswered -= 1
            if unanswered == 0 {
                enter(.idle)
                expectHeader(context, within: patience.next)
            }
        }
        let taken = promise ?? context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        untaken += 1
        if untaken == 1 { expectTaking(channel) }
        taken.futureResult.assumeIsolated().whenComplete { _ in self.wasTaken(channel) }
        context.write(data, promise: taken)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isStalled = !context.channel.isWritable
        show()
        context.fireChannelWritabilityChanged()
    }

    private func enter(_ stage: ConnectionLimits.Stage) {
        self.stage = stage
        show()
    }

    private func show() {
        let stage = isStalled ? .stalled : self.stage
        guard let id, stage != shown else { return }
        shown = stage
        connections.move(id, to: stage)
    }

    private func wasTaken(_ channel: any Channel) {
        untaken -= 1
        takingDeadline?.cancel()
        takingDeadline = nil
        if untaken > 0, !isEnded { expectTaking(channel) }
    }

    private func expectTaking(_ channel: any Channel) {
        takingDeadline = channel.eventLoop.scheduleTask(in: Self.takingTime) { channel.end() }
    }

    private func expectHeader(_ context: ChannelHandlerContext, within time: TimeAmount) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) { channel.end() }
    }
}

extension Channel {
    /// Ends a connection. The other side sees the end even if another process has inherited the descriptor.
    package func end() {
        close(mode: .output, promise: nil)
        close(promise: nil)
    }
}
