package import BeaconModel
package import GatewayCore
import HCI
package import Integrations
package import MQTTBridge
package import ModuleDialogues
package import RecordContract

/// State shared between the parts of the daemon. Publishes the birth certificate when it changes.
package actor GatewayBoard {
    package private(set) var counts = IngestCounts()
    /// Number of events for which no record could be made.
    package private(set) var unpublishable: UInt64 = 0
    package private(set) var radios: [RadioReport] = []
    package private(set) var ears: [RemoteEarReport] = []
    /// States of the listening modules.
    package private(set) var listeners: [ModuleEarReport] = []
    package private(set) var commands = CommandDesk.Counts()
    package private(set) var hearing: GatewayStatus.Hearing = .off
    /// Notifications that the radios have changed.
    nonisolated let radioChanges: AsyncStream<Void>
    private nonisolated let radiosChanged: AsyncStream<Void>.Continuation
    /// Beacons of our own modules, with their advertising intervals.
    package private(set) var ownBeacons: [BeaconID: AdvertisingInterval] = [:]
    /// Our own modules, by beacon.
    private(set) var ownModules: [BeaconID: OwnModule] = [:]
    /// Version of the own beacons and modules; incremented at each change.
    package private(set) var ownBeaconsVersion = 0
    /// Time at which a module was last unplugged.
    private var moduleVanishedAt: ContinuousClock.Instant?
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
    }

    func setEars(_ ears: [RemoteEarReport], modules: [ModuleEarReport]) {
        self.ears = ears
        listeners = modules
    }

    func setCommands(_ commands: CommandDesk.Counts) { self.commands = commands }

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

    /// Whether a module unplugged when the silence began can explain the silence of an own beacon.
    func lostModule(since silence: Duration) -> Bool {
        moduleVanishedAt.map { ContinuousClock.now - $0 <= silence + .seconds(5) } ?? false
    }

    func setModule(_ module: GatewayInfo.Module) async {
        if let index = info.modules.firstIndex(where: { $0.name == module.name }) {
            if module.state != "absent" {
                moduleVanishedAt = nil
            } else if info.modules[index].state != "absent" {
                moduleVanishedAt = .now
            }
            info.modules[index] = module
        } else {
            info.modules.append(module)
        }
        await announce()
        await outputs?.take(.module(name: module.name, state: module.state))
    }

    /// Sets the address of the module that advertises a beacon.
    func setAddress(_ address: BluetoothAddress?, of beacon: BeaconID) {
        guard let address, let module = ownModules[beacon], module.address != address else { return }
        ownModules[beacon]?.address = address
        ownBeaconsVersion += 1
    }

    func setOtherPorts(_ ports: [GatewayInfo.Port]) async {
        info.otherPorts = ports
        await announce()
    }

    func removeModule(_ name: String) async {
        info.modules.removeAll { $0.name == name }
        await announce()
    }

    /// Sets the beacons that the radio listens for: those of the inventory's modules.
    package func watch(_ inventory: Inventory) async {
        ownBeacons = Dictionary(
            inventory.entries.map { ($0.configuration.beacon, $0.configuration.interval) }, uniquingKeysWith: { $1 })
        ownModules = Dictionary(
            inventory.entries.map { entry in
                let beacon = entry.configuration.beacon
                return (
                    beacon,
                    OwnModule(measuredPower: entry.configuration.measuredPower, address: ownModules[beacon]?.address)
                )
            }, uniquingKeysWith: { $1 })
        ownBeaconsVersion += 1
        await outputs?.take(.named(named(inventory)))
    }

    /// Passes the health of the gateway to the outputs.
    func setHealth(_ health: OutputEvent.Health) async { await outputs?.take(.health(health)) }

    package func announce() async { await publisher.setState(info.encoded, topic: topics.info) }
}
