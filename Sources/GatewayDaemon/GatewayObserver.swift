import CommandSupport
import GatewayCore
import MQTTBridge
import RecordContract
import RecordOutbox
import SystemIO
import Watching

/// Looks at the gateway's work: the facts of the `health` message, and whether anything is still processed.
actor GatewayObserver {
    private let gateway: GatewayState
    private let outbox: Outbox
    private let publisher: MQTTPublisher
    /// Names of the adapters, of which nothing is known before the first report.
    private let adapters: [String]
    private var faults = RadioFaults()

    init(gateway: GatewayState, outbox: Outbox, publisher: MQTTPublisher, adapters: [String]) {
        self.adapters = adapters
        self.gateway = gateway
        self.outbox = outbox
        self.publisher = publisher
    }

    func observe() async -> GatewayObservation {
        let status = await outbox.status(at: .now())
        let broker = await GatewayObservation.Broker(
            trouble: publisher.trouble, isConnected: publisher.isConnected)
        let now = ContinuousClock.now
        let receivers =
            await gateway.receivers.map { GatewayObservation.Receiver(name: $0.name, isHearing: $0.isHearing) }
            + gateway.listeners.map { GatewayObservation.Receiver(name: $0.name, isHearing: $0.isHearing) }
        let reports = await gateway.radios
        return await GatewayObservation(
            radios: faults.take(reports.isEmpty ? adapters.map { RadioReport(name: $0) } : reports),
            receivers: receivers,
            outbox: .init(
                bytes: status.bytes, capacityBytes: status.capacityBytes, trouble: status.trouble?.text),
            broker: broker, processedAge: now - gateway.processedAt, reportedAge: now - gateway.reportedAt)
    }
}
