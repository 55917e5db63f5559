import AsyncAlgorithms
import BeaconModel
import BlueZScanner
package import GatewayCore
import HCI
import Integrations
package import Logging
package import MQTTBridge
import Proximity
import Publishing
import RecordContract
import ServiceLifecycle
import SystemIO

/// Receives with all adapters, turns what is received into records and hands them to the publisher, until the shutdown.
package struct RadioService: Service {
    package var sources: [any RadioSource]
    package var audience: Audience
    package var configuration: Configuration
    package var boot: UInt64
    package var publisher: MQTTPublisher
    package var board: GatewayBoard
    package var fleet: FleetService?
    package var exchange: ExchangeService?
    /// Output service; `nil` where nothing is published to other tools.
    package var outputs: OutputService?
    /// Files of the persisted presence; `nil`: presence is not persisted.
    package var presence: PresenceFiles?
    /// Inputs of other services, which are processed between the packets.
    package var inbox = RadioInbox()
    package var logger: Logger

    /// Interval at which counts are handed to the gateway state and the own beacons are read from it.
    private static let boardInterval: Duration = .milliseconds(200)
    /// Maximum time for a radio to stop.
    private static let stopLimit: Duration = .milliseconds(500)

    /// Origin of this service's times.
    private let start = ContinuousClock.now

    package func run() async throws {
        let queue = DeliveryQueue()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, source) in sources.enumerated() {
                let events = try source.events()
                group.addTask {
                    for try await event in events { await inbox.send(.radio(source: index, event)) }
                }
            }
            group.addTask { await stopSources() }
            group.addTask {
                var writer = RadioWriter(
                    publisher: publisher, presence: presence, boot: boot,
                    presenceExpiry: configuration.broker.presenceExpiry, outputs: outputs, logger: logger)
                await writer.run(queue)
            }
            group.addTask {
                let kept = readPresence()
                var core = RadioCore(configuration: configuration, audience: audience, boot: boot, kept: kept)
                var radios = Radios(names: sources.map(\.name))
                if let kept {
                    let ended = core.resume(kept, rules: configuration.rules, at: WallClock.now())
                    await deliver(ended.own, &core, queue)
                    await deliver(byEars: ended.ears, &core, queue)
                }
                await queue.add(Delivery(presence: core.kept))
                for await input in inbox.channel { await take(input, &radios, &core, queue) }
                await deliver(core.ingest.endAll(at: WallClock.now(), reason: .shutdown), &core, queue)
                await deliver(byEars: core.ears.endAll(at: WallClock.now(), reason: .shutdown), &core, queue)
                await queue.add(Delivery(presence: core.kept))
                await queue.finish()
            }
            // Waits for the sources and for the task that stops them. After that no packets arrive.
            for _ in 0...sources.count { try await group.next() }
            inbox.channel.finish()
            try await group.waitForAll()
        }
        await board.radiosStopped()
    }

    private func stopSources() async {
        try? await gracefulShutdown()
        for source in sources { source.stop() }
        // A controller whose firmware hangs is not waited for, because the farewell must still be sent.
        try? await Task.sleep(for: Self.stopLimit)
        for source in sources { source.abandon() }
    }

    private func take(
        _ input: RadioInput, _ radios: inout Radios, _ core: inout RadioCore, _ queue: DeliveryQueue
    ) async {
        let now = ContinuousClock.now - start
        switch input {
        case .radio(let source, let event): await take(event, from: source, &radios, &core, queue)
        case .ear(let packet):
            if let news = core.ears.take(packet, now: now) { await deliver(byEars: [news], &core, queue) }
        case .earClock(let isConnected, let time):
            await deliver(byEars: core.ears.advance(isConnected: isConnected, at: time, now: now), &core, queue)
            await board.setEars(core.ears.reports(at: time), modules: core.ears.moduleReports(at: time))
        case .heardByModule(let hearing):
            if let news = core.ears.take(hearing, now: now) { await deliver(byEars: [news], &core, queue) }
        case .listeners(let inventory):
            await deliver(byEars: core.ears.setModules(inventory, at: WallClock.now()), &core, queue)
        case .module(let event):
            let record = core.record(for: event, clockIsSynchronized: WallClock.isSynchronized)
            await queue.add(Delivery(records: [record]))
        case .rescan(let adapter, let outcome):
            outcome.yield(rescan(adapter, radios))
            outcome.finish()
        }
    }

    /// Restarts scanning.
    private func rescan(_ adapter: AdapterSelector?, _ radios: Radios) -> CommandOutcome {
        let rescan = Rescan(of: adapter, radios.reports)
        for index in rescan.sources { sources[index].rescan() }
        return rescan.outcome
    }

    private func take(
        _ event: AdapterScanner.Event, from index: Int, _ radios: inout Radios, _ core: inout RadioCore,
        _ queue: DeliveryQueue
    ) async {
        let now = ContinuousClock.now - start
        switch event {
        case .state(let state):
            log(state, before: radios.reports[index].state, of: sources[index])
            core.ingest.follow(state, before: radios.reports[index].state, at: WallClock.now())
            radios.set(state, of: index, at: WallClock.now(), now: now)
            if radios.haveAllSpoken { core.ingest.adopt(by: radios.opened) }
            if radios.hearing == .deaf { core.ingest.becomeDeaf() }
            await board.setRadios(radios.reports, hearing: radios.hearing)
            await deliver([], &core, queue)
        case .packets(let batch):
            radios.heard(by: index, now: now)
            await deliver(core.ingest.receive(batch), &core, queue)
        case .silence(let time, let heardUntil):
            await suspect(index, silentFor: radios.silence(of: index, now: now), radios, &core)
            let events = core.silence(
                of: radios.reports[index].state, deafness: radios.deafness(of: index, now: now), now: time,
                heardUntil: heardUntil)
            await deliver(events, &core, queue)
            if radios.opened.isEmpty { await deliver(core.ingest.deafEverywhere(for: now, at: time), &core, queue) }
        }
    }

    /// Requests the repair of an adapter that should hear something and does not.
    ///
    /// - Parameter silence: how long the adapter has heard nothing although it could.
    private func suspect(
        _ index: Int, silentFor silence: Duration?, _ radios: Radios, _ core: inout RadioCore
    ) async {
        guard let silence, let adapter = radios.reports[index].state?.adapter,
            let suspicion = core.ingest.suspicion(of: adapter, silentFor: silence)
        else { return }
        switch suspicion {
        case .otherAdapter: sources[index].suspect(isCertain: true)
        case .ownBeacon where await board.lostModule(since: silence):
            // A module that was unplugged explains the silence.
            core.ingest.forgetHearing(adapter)
        case .ownBeacon: sources[index].suspect(isCertain: true)
        case .likely:
            sources[index].suspect(isCertain: false)
            // The devices get one chance to come back, so that the adapter is not repaired again and again in an empty
            // building.
            core.ingest.forgetHearing(adapter)
        }
    }

    private func log(_ state: RadioState, before: RadioState?, of source: any RadioSource) {
        // Recovery steps are counted in `health`.
        guard before?.condition != state.condition || before?.error != state.error else { return }
        let metadata: Logger.Metadata = ["adapter": "\(source.name)", "condition": "\(state.condition.rawValue)"]
        if let error = state.error {
            logger.error("radio receives nothing", metadata: metadata.merging(.init(describing: error)) { $1 })
        } else {
            logger.info("radio", metadata: metadata.merging(["commands": "\(state.mode?.rawValue ?? "none")"]) { $1 })
        }
    }

    private func deliver(_ events: [InteractionEvent], _ core: inout RadioCore, _ queue: DeliveryQueue) async {
        let now = ContinuousClock.now - start
        // Most batches bring nothing that another part waits for.
        if core.metBoardAt.map({ now - $0 >= Self.boardInterval }) ?? true {
            core.metBoardAt = now
            await board.setCounts(core.ingest.counts, unpublishable: core.factory.unpublishable)
            if let packets = core.takeCrowding(now: now) {
                logger.warning(
                    "tracking table full, new subjects may be missing from records",
                    metadata: [
                        "packets": "\(packets)",
                        "remedy":
                            "look for somebody who advertises invented identities, or raise interactions.capacity",
                    ])
            }
            let version = await board.ownBeaconsVersion
            if version != core.ownBeaconsVersion {
                core.ownBeaconsVersion = version
                let own = await board.ownBeacons
                core.ingest.listen(for: own, modules: await board.ownModules)
                core.ears.expect(Set(own.keys))
                core.tellOutputs(of: Set(own.keys).union(configuration.knownBeacons.map(\.beacon)))
            }
        }
        var delivery = Delivery()
        switch presence == nil ? nil : core.keeping(now: now, at: WallClock.now()) {
        case .all?: delivery.presence = core.kept
        case .heard(let notes)?: delivery.ended = notes
        case nil: break
        }
        fleet?.hear(core.ingest.takeAirEvents())
        if let exchange {
            exchange.hear(core.ingest.takeSightings())
            core.ingest.learn(exchange.takeLearned())
        }
        let readings = core.ingest.takeReadings()
        if !events.isEmpty || !readings.isEmpty || core.ingest.hasSocialDistanceEvents {
            (delivery.records, delivery.states) = core.publications(
                for: events, readings, clockIsSynchronized: WallClock.isSynchronized)
            delivery.note(events)
        }
        if outputs != nil { delivery.outputs = core.outputs(of: events, now: now) }
        await queue.add(delivery)
    }

    /// Delivers the events and readings of remote receivers.
    private func deliver(byEars news: [RemoteEars.News], _ core: inout RadioCore, _ queue: DeliveryQueue) async {
        for news in news where !news.events.isEmpty || !news.readings.isEmpty {
            let place = core.ears.places[news.ear]
            var delivery = Delivery()
            (delivery.records, delivery.states) = core.publications(
                for: news.events, news.readings, at: place, clockIsSynchronized: WallClock.isSynchronized)
            delivery.note(news.events, by: place.ear)
            await queue.add(delivery)
        }
    }

    private func readPresence() -> KeptPresence? {
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
