import MQTTBridge
import RecordContract
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// The subscription to replies, whose course the test decides. The publisher is never connected.
@Suite("Subscription of commands to replies", .timeLimit(.minutes(10))) struct CommandSenderTests {
    private static let filters = ModuleCommand.replyFilters(prefix: "beacons")

    private func sender(
        _ subscribe: @escaping @Sendable (String) async -> AsyncStream<MQTTMessage>
    ) async throws -> CommandSender {
        CommandSender(
            publisher: try await PlayedGateway.client(port: 1, as: "matcher-notices"), prefix: "beacons",
            logger: PlayedGateway.logger, subscribe: subscribe)
    }

    /// Lets another command listen, and returns the number of filters that are subscribed to after it.
    private static func listen(
        _ sender: isolated CommandSender, _ subscribed: LockedValue<Int>
    ) -> Task<Int, Never> {
        Task {
            await sender.listen()
            return subscribed.withLock { $0 }
        }
    }

    /// Returns when the sender has done what was asked of it before, as far as that need not wait.
    private static func pass(_ sender: isolated CommandSender) {}

    @Test("A command waits until the replies are subscribed to, also when another command subscribes")
    func together() async throws {
        let (begun, begins) = AsyncStream<Void>.makeStream()
        let (opened, opens) = AsyncStream<Void>.makeStream()
        let subscribed = LockedValue(0)
        let sources = LockedValue<[AsyncStream<MQTTMessage>.Continuation]>([])
        let sender = try await sender { _ in
            begins.yield()
            for await _ in opened {}
            subscribed.withLock { $0 += 1 }
            let (messages, source) = AsyncStream<MQTTMessage>.makeStream()
            sources.withLock { $0.append(source) }
            return messages
        }
        let first = Task { await sender.listen() }
        for await _ in begun { break }
        let second = await Self.listen(sender, subscribed)
        await Self.pass(sender)
        opens.finish()
        #expect(await second.value == Self.filters.count)
        await first.value
        for source in sources.withLock({ $0 }) { source.finish() }
    }

    @Test("When the subscription has ended, the next command subscribes anew, and those after it do not")
    func anew() async throws {
        let asked = LockedValue<[String]>([])
        let sources = LockedValue<[AsyncStream<MQTTMessage>.Continuation]>([])
        let sender = try await sender { filter in
            let (messages, source) = AsyncStream<MQTTMessage>.makeStream()
            let isFirst = asked.withLock { asked in
                asked.append(filter)
                return asked.count <= Self.filters.count
            }
            if isFirst { source.finish() } else { sources.withLock { $0.append(source) } }
            return messages
        }
        await sender.listen()
        // The end is noticed by the sender's own readers.
        while asked.withLock({ $0.count }) == Self.filters.count {
            await sender.listen()
            await Task.yield()
        }
        await sender.listen()
        #expect(asked.withLock { $0 } == Self.filters + Self.filters)
        for source in sources.withLock({ $0 }) { source.finish() }
    }
}
