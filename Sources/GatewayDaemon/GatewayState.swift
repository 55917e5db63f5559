import BeaconModel
package import GatewayCore
import HCI
package import Integrations
package import MQTTBridge
package import ModuleDialogues
package import RecordContract

/// State shared between the parts of the daemon. Publishes the birth certificate when it changes.
package actor GatewayState {
    package private(set) var counts = IngestCounts()
    /// Number of events for which no record could be made.
    package private(set) var unpublishable: UInt64 = 0
    package private(set) var radios: [RadioReport] = []
    package private(set) var receivers: [RemoteReceiverReport] = []
    /// States of the listening modules.
    package private(set) var listeners: [ModuleReceiverReport] = []
    package private(set) var commands = CommandAdmission.Counts()
    package private(set) var hearing: GatewayStatus.Hearing = .off
    /// The time at which an adapter last reported packets or a second of silence.
    private(set) var reportedAt = ContinuousClock.now
    /// The time at which anything was last processed, at least the clock's tick of each second.
    private(set) var processedAt = ContinuousClock.now
    /// Notifications that the radios have changed.
    nonisolated let radioChanges: AsyncStream<Void>
    private nonisolated let radiosChanged: AsyncStream<Void>.Continuation
    private var info: GatewayInfo
    private var status: GatewayStatus
    private let topics: Topics
    private let publisher: MQTTPublisher
    /// Output service; `nil` where nothing is published to other tools.
    private let outputs: OutputService?
    private let named: @Sendable (Inventory) -> [NamedBeacon]

    /// - Parameter named: returns the beacons that are published to other tools, including the modules of an inventory.
    package init(
        info: GatewayInfo, topics: Topics, publisher: MQTTPublisher, outputs: OutputService? = nil,
        named: @escaping @Sendable (Inventory) -> [NamedBeacon] = { _ in [] }
    ) {
        self.info = info
        status = GatewayStatus(boot: info.boot)
        self.topics = topics
        self.outputs = outputs
        self.named = named
        self.publisher = publisher
        (radioChanges, radiosChanged) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func setCounts(_ counts: IngestCounts, unpublishable: UInt64) {
        self.counts = counts
        self.unpublishable = unpublishable
        reportedAt = .now
    }

    func setReceivers(_ receivers: [RemoteReceiverReport], modules: [ModuleReceiverReport]) {
        self.receivers = receivers
        listeners = modules
        processedAt = .now
    }

    func setCommands(_ commands: CommandAdmission.Counts) { self.commands = commands }

    func setRadios(_ radios: [RadioReport], hearing: GatewayStatus.Hearing) async {
        self.radios = radios
        self.hearing = hearing
        info.adapters = radios.map { .init(name: $0.name, scan: $0.scan) }
        radiosChanged.yield()
        let adapters = radios.map(\.status)
        if status.hearing != hearing || status.adapters != adapters {
            status.hearing = hearing
            status.adapters = adapters
            await publisher.announce(status.announcement(topic: topics.status))
        }
        if let outputs {
            let addresses = radios.compactMap { radio in
                radio.state.flatMap { state in state.address.map { (state.adapter, $0) } }
            }
            await outputs.take(.radio(hearing, addresses: [Adapter: BluetoothAddress](addresses) { $1 }))
        }
        await announce()
    }

    func setTakeovers(_ takeovers: SessionTakeovers) async {
        let taken = GatewayInfo.SessionTakenOver(takeovers)
        guard info.sessionTakenOver != taken else { return }
        info.sessionTakenOver = taken
        await announce()
    }

    /// Records that the radios have stopped because the gateway ends. The status topic reports that as `stopping`.
    func radiosStopped() async {
        info.adapters = radios.map { .init(name: $0.name, scan: "off") }
        await announce()
    }

    /// States of the modules.
    package var modules: [GatewayInfo.Module] { info.modules }

    func setModule(_ module: GatewayInfo.Module) async {
        if let index = info.modules.firstIndex(where: { $0.name == module.name }) {
            info.modules[index] = module
        } else {
            info.modules.append(module)
        }
        await announce()
        await outputs?.take(.module(name: module.name, state: module.state))
    }

    func setOtherPorts(_ ports: [GatewayInfo.Port]) async {
        info.otherPorts = ports
        await announce()
    }

    func removeModule(_ name: String) async {
        info.modules.removeAll { $0.name == name }
        await announce()
    }

    /// Passes the beacons that are published to other tools to the outputs.
    package func setNames(_ inventory: Inventory) async { await outputs?.take(.named(named(inventory))) }

    /// Passes the health of the gateway to the outputs.
    func setHealth(_ health: OutputEvent.Health) async { await outputs?.take(.health(health)) }

    package func announce() async { await publisher.setState(info.encoded, topic: topics.info) }
}
