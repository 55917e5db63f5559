import NIOCore
import NIOHTTPTypes

/// Closes connections of clients that have too many, and those that keep the server waiting.
///
/// A header that comes byte by byte is never idle; so a connection has a time until which the header has to be there,
/// whatever comes meanwhile. A request that is being answered isn't idle either; so what is written has a time until which
/// it has to be taken.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let connections: OpenConnections
    private let patience: HeaderPatience
    /// `nil` for a connection that doesn't count.
    private var id: UInt64?
    private var stage = ConnectionLimits.Stage.header
    /// Requests whose header was read. Several, where a client doesn't wait for answers.
    private var unanswered = 0
    /// A request's header was read, and its end not yet.
    private var isReading = false
    /// The request's body so far.
    private var body = (parts: 0, bytes: 0)
    /// What was received last made a part of a request.
    private var madePart = false
    private var deadline: Scheduled<Void>?
    /// What was written, and the other side hasn't taken yet.
    private var untaken = 0
    private var takingDeadline: Scheduled<Void>?
    /// So much waits to be taken that nothing more is written.
    private var isStalled = false
    /// What the connection was said to be at.
    private var shown = ConnectionLimits.Stage.header
    private var isEnded = false

    /// For so long what is written may wait to be taken.
    static let takingTime: TimeAmount = .seconds(60)
    /// Requests that may wait for their answers.
    static let mostUnanswered = 8
    /// Each part of a body costs as much as many bytes, and a chunk of one byte is one: so many are taken, and more of a body
    /// whose parts have this length on average.
    private static let mostShortParts = 1000
    private static let averagePart = 16

    init(connections: OpenConnections, patience: HeaderPatience) {
        self.connections = connections
        self.patience = patience
    }

    func channelActive(context: ChannelHandlerContext) {
        let client = ClientAddress.network(of: context.channel.remoteAddress?.ipAddress ?? "unknown")
        id = connections.open(context.channel, by: client)
        guard id != nil else {
            // Nothing is answered: whoever has so many open doesn't read it.
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
        // One read brings many requests.
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
        // Something came, and it is no request yet.
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

/// For how long a request's header is waited for.
struct HeaderPatience: Sendable {
    /// From the connection's beginning, and from the first byte of each header after the first.
    var first: TimeAmount = .seconds(10)
    /// From the answer to the request before, as long as no byte of another comes.
    var next: TimeAmount = .seconds(60)
}

extension Channel {
    /// Ends a connection for the other side too where another process has inherited its descriptor.
    func end() {
        close(mode: .output, promise: nil)
        close(promise: nil)
    }
}
