import BeaconModel
import BlueZScanner
import Logging
import MQTTBridge
import ServiceLifecycle
import SystemIO

/// Receives, turns what was received into records and hands them to the publisher, until the shutdown.
///
/// When the radio fails, the interactions end as `lost` and the radio is opened again, with backoff.
struct RadioService: Service {
    /// Makes the source for one attempt.
    var openSource: @Sendable () throws -> any RadioSource
    var audience: Audience
    var configuration: Configuration
    var boot: UInt64
    var publisher: MQTTPublisher
    var board: GatewayBoard
    var fleet: FleetService?
    var logger: Logger

    /// How long a radio may take to stop.
    private static let stopLimit: Duration = .milliseconds(500)

    func run() async throws {
        var core = RadioCore(configuration: configuration, audience: audience, boot: boot)
        var backoff = Backoff()
        var generator = SystemRandomNumberGenerator()
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            do {
                try await receive(&core) { backoff.reset() }
            } catch {
                logger.error("the radio failed", metadata: .init(describing: error))
                // A radio that can't be stopped cleanly was not deaf before.
                if Task.isShuttingDownGracefully { break }
                await board.setRadio(scan: "off", error: error.inOneLine)
                core.ingest.becomeDeaf()
                await deliver(core.ingest.endAll(at: WallClock.now(), reason: .lost), &core)
                let wait = backoff.next(using: &generator)
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: wait) }
            }
        }
        await deliver(core.ingest.endAll(at: WallClock.now(), reason: .shutdown), &core)
        await board.setRadio(scan: "off", error: nil)
    }

    /// Serves one source until it ends.
    private func receive(_ core: inout RadioCore, onScanning: () -> Void) async throws {
        let source = try openSource()
        let events = try source.events()
        try await withGracefulShutdownHandler {
            for try await event in events {
                switch event {
                case .scanning(let mode):
                    onScanning()
                    logger.info("scanning", metadata: ["adapter": "\(source.name)", "commands": "\(mode)"])
                    await board.setRadio(scan: mode.rawValue, error: nil)
                case .packets(let batch): await deliver(core.ingest.receive(batch), &core)
                case .silence(let time): await deliver(core.ingest.advance(to: time), &core)
                }
            }
        } onGracefulShutdown: {
            source.stop()
            // A controller whose firmware hangs isn't waited for: the farewell has to be said.
            Task {
                try? await Task.sleep(for: Self.stopLimit)
                source.abandon()
            }
        }
    }

    private func deliver(_ events: [InteractionEvent], _ core: inout RadioCore) async {
        await board.setCounts(core.ingest.counts, unpublishable: core.factory.unpublishable)
        let version = await board.ownBeaconsVersion
        if version != core.ownBeaconsVersion {
            core.ownBeaconsVersion = version
            core.ingest.listen(for: await board.ownBeacons)
        }
        fleet?.hear(core.ingest.takeAirEvents())
        if events.isEmpty { return }
        let (records, states) = core.publications(for: events, clockIsSynchronized: WallClock.isSynchronized)
        await publisher.publish(records)
        for (topic, payload) in states { await publisher.setState(payload, topic: topic) }
    }
}

/// The pure part of the way from packets to publications.
struct RadioCore: Sendable {
    var ingest: Ingest
    var factory: RecordFactory
    var topics: Topics
    var boot: UInt64
    /// Of the board's, for which it listens.
    var ownBeaconsVersion = 0
    private var absent = AbsentBeacons()

    init(configuration: Configuration, audience: Audience, boot: UInt64) {
        ingest = Ingest(audience: audience, rules: configuration.rules)
        topics = configuration.topics
        factory = RecordFactory(
            place: configuration.place, boot: boot, topics: topics, pseudonymizer: configuration.pseudonymizer)
        self.boot = boot
    }

    /// Records, and the presence of those whom they are about.
    mutating func publications(
        for events: [InteractionEvent], clockIsSynchronized: Bool
    ) -> (records: [Record], states: [(topic: String, payload: [UInt8])]) {
        var records: [Record] = []
        var states: [(topic: String, payload: [UInt8])] = []
        for event in events {
            if let record = factory.record(for: event, clockIsSynchronized: clockIsSynchronized) {
                records.append(record)
            }
            if case .beacon(let beacon) = event.interaction.subject {
                let interaction = event.interaction
                states.append((topics.presence(beacon), PresencePayload(interaction, boot: boot).encoded))
                if let forgotten = absent.update(beacon, isAbsent: interaction.ending != nil) {
                    states.append((topics.presence(forgotten), []))
                }
            }
        }
        return (records, states)
    }
}
