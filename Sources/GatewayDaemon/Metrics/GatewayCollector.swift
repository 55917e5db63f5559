import BeaconModel
import Exposition
import GatewayCore
import MQTTBridge
import RecordContract
import RecordOutbox
import SystemIO
import Watching

/// Collects what a gateway knows of itself when it is asked for it: nothing is counted for the metrics while it
/// receives.
struct GatewayCollector: Sendable {
    var gateway: GatewayState
    var publisher: MQTTPublisher
    var outbox: Outbox
    var signals: SignalsQueue
    var place: Place
    var boot: UInt64
    /// Returns the liveness by which the service manager is told.
    var liveness: @Sendable () -> Liveness

    /// The liveness for those who watch.
    func present() async -> Liveness {
        let (isConnected, waiting) = (await publisher.isConnected, await outbox.waiting)
        return liveness().present(isConnected: isConnected, waiting: waiting)
    }

    func collect(into scrape: inout Scrape) async {
        let figures = await GatewayFigures(
            place: place, boot: boot, time: WallClock.now(), clockIsSynchronized: WallClock.isSynchronized,
            liveness: present(), counts: gateway.counts, unpublishable: gateway.unpublishable,
            droppedSignals: signals.dropped, radios: gateway.radios, receivers: gateway.receivers,
            modules: gateway.modules, commands: gateway.commands, outbox: outbox.status(at: .now()),
            isConnected: publisher.isConnected, connectionAttempts: publisher.connectionAttempts,
            takeovers: publisher.takeovers?.times ?? 0, acknowledged: publisher.acknowledgedRecords)
        figures.collect(into: &scrape)
    }
}
