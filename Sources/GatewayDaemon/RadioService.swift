import AsyncAlgorithms
import BlueZScanner
package import GatewayCore
import HCI
package import Logging
package import MQTTBridge
package import Metering
import Publishing
import ServiceLifecycle
import SystemIO

/// Receives with all adapters until the shutdown: passes what arrives to `RadioCore`, and carries out what it decides.
package struct RadioService: Service {
    package var sources: [any RadioSource]
    package var audience: Audience
    package var configuration: Configuration
    package var boot: UInt64
    package var publisher: MQTTPublisher
    package var gateway: GatewayState
    package var fleet: FleetService?
    package var exchange: ExchangeService?
    /// Output service; `nil` where nothing is published to other tools.
    package var outputs: OutputService?
    /// Files of the persisted presence; `nil`: presence is not persisted.
    package var presence: PresenceFiles?
    /// Signals on their way to the connection to the broker.
    package var signals = SignalsQueue()
    /// Inputs of other services, which are processed between the packets.
    package var inbox = RadioInbox()
    package var meters = Meters.none
    package var logger: Logger

    /// Maximum time for a radio to stop.
    private static let stopLimit: Duration = .milliseconds(500)

    package func run() async throws {
        let queue = DeliveryQueue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, source) in sources.enumerated() {
                let events = try source.events()
                group.addTask {
                    for try await event in events { await inbox.send(RadioInput(event, of: index)) }
                }
            }
            group.addTask { await stopSources() }
            group.addTask {
                var writer = RadioWriter(
                    publisher: publisher, presence: presence, boot: boot,
                    presenceExpiry: configuration.broker.presenceExpiry, outputs: outputs, meters: meters,
                    logger: logger)
                await writer.run(queue)
            }
            group.addTask {
                await SignalsWriter(publisher: publisher, key: configuration.signingKey).run(signals)
            }
            group.addTask { await process(into: queue) }
            // Waits for the sources and for the task that stops them. After that no packets arrive.
            for _ in 0...sources.count { try await group.next() }
            inbox.channel.finish()
            try await group.waitForAll()
        }
        await gateway.radiosStopped()
    }

    private func stopSources() async {
        try? await gracefulShutdown()
        for source in sources { source.stop() }
        // A controller whose firmware hangs is not waited for, because the farewell must still be sent.
        try? await Task.sleep(for: Self.stopLimit)
        for source in sources { source.abandon() }
    }

    /// Processes inputs until the inbox is finished.
    private func process(into queue: DeliveryQueue) async {
        var core = RadioCore(
            configuration, audience: audience, boot: boot, adapters: sources.map(\.name),
            keepsPresence: presence != nil, servesOtherTools: outputs != nil)
        var clock = RadioClock()
        var decided: [RadioOutput] = []
        core.handle(.started(readPresence()), now: clock.read(), into: &decided)
        await carryOut(&decided, queue)
        for await message in inbox.channel {
            switch message {
            case .input(let input):
                core.handle(input, now: clock.read(), into: &decided)
                await carryOut(&decided, queue)
            case .rescan(let adapter, let reply):
                core.handle(.rescan(adapter), now: clock.read(), into: &decided)
                await carryOut(&decided, queue, replyTo: reply)
                reply.finish()
            }
        }
        core.handle(.stopped, now: clock.read(), into: &decided)
        await carryOut(&decided, queue)
        signals.finish()
        await queue.finish()
    }

    /// Carries out all outputs, and removes them.
    private func carryOut(
        _ outputs: inout [RadioOutput], _ queue: DeliveryQueue,
        replyTo reply: AsyncStream<CommandOutcome>.Continuation? = nil
    ) async {
        for output in outputs { await carryOut(output, queue, replyTo: reply) }
        outputs.removeAll(keepingCapacity: true)
    }

    private func carryOut(
        _ output: RadioOutput, _ queue: DeliveryQueue, replyTo reply: AsyncStream<CommandOutcome>.Continuation?
    ) async {
        switch output {
        case .delivery(let delivery): await queue.add(delivery)
        case .signals(let messages): signals.add(messages)
        case .counts(let counts, let unpublishable): await gateway.setCounts(counts, unpublishable: unpublishable)
        case .adapters(let reports, let hearing): await gateway.setRadios(reports, hearing: hearing)
        case .receivers(let reports, let modules): await gateway.setReceivers(reports, modules: modules)
        case .ownBeacons(let events): fleet?.hear(events)
        case .phones(let sightings): exchange?.hear(sightings)
        case .suspect(let source, let isCertain): sources[source].suspect(isCertain: isCertain)
        case .rescan(let source): sources[source].rescan()
        case .rescanned(let outcome): reply?.yield(outcome)
        case .notice(let notice): log(notice)
        }
    }

    private func log(_ notice: RadioOutput.Notice) {
        switch notice {
        case .adapter(let name, let state):
            let metadata: Logger.Metadata = ["adapter": "\(name)", "condition": "\(state.condition.rawValue)"]
            if let error = state.error {
                logger.error("radio receives nothing", metadata: metadata.merging(.init(describing: error)) { $1 })
            } else {
                logger.info(
                    "radio", metadata: metadata.merging(["commands": "\(state.mode?.rawValue ?? "none")"]) { $1 })
            }
        case .crowded(let packets):
            logger.warning(
                "tracking table full, new subjects may be missing from records",
                metadata: [
                    "packets": "\(packets)",
                    "remedy":
                        "look for a device that advertises random identities, or raise interactions.capacity",
                ])
        }
    }

    private func readPresence() -> PersistedPresence? {
        guard let presence else { return nil }
        do {
            return try presence.read()
        } catch {
            logger.error("presence file unreadable, starting without it", metadata: .init(describing: error))
            if error is DamagedPresence { try? presence.putAside() }
            return nil
        }
    }
}
