import AsyncAlgorithms
import BeaconModel
import GatewayCore
package import Logging
package import MQTTBridge
package import Metering
package import ModuleDialogues
package import RecordContract
import ServiceLifecycle
import SystemIO
import UARTConfig

/// Keeps all modules advertising what the inventory says, by carrying out the decisions of `Fleet`.
package actor FleetService: Service {
    let topics: Topics
    let publisher: MQTTPublisher
    let gateway: GatewayState
    let audit: AuditLog
    private let bindingsFile: BindingsFile
    var profile: RS9116Profile
    let reload: @Sendable () throws -> Inventory
    let radio: RadioInbox
    let meters: Meters
    let logger: Logger

    var fleet: Fleet
    var failures = ModuleFailures()
    var missing = MissingModules()
    var provisioning = ProvisioningTimes()
    /// Continuations that wait for the outcome of an order, by its correlation.
    var waiting: [String: AsyncStream<CommandOutcome>.Continuation] = [:]
    var hasEnded = false
    var inventory: Inventory
    var links: [String: Line] = [:]
    var linkCount = 0
    var toldOthers: [Fleet.OtherPort] = []
    private let start = ContinuousClock.now
    var alarm: (task: Task<Void, Never>, at: Duration)?

    /// Inbox of the service. A sender waits until its message is read, so a flood of commands or bytes cannot grow the
    /// inbox.
    nonisolated let inbox = AsyncChannel<Message>()
    private nonisolated let airEvents: AsyncStream<AdvertisingWatch.Event>
    private nonisolated let air: AsyncStream<AdvertisingWatch.Event>.Continuation

    enum Message: Sendable {
        case input(Fleet.Input)
        case said(device: String, number: Int, ModuleDialogueEvent)
        case ended(device: String, number: Int, (any Error)?)
        case alarm
        case order(Order)
    }

    /// A requested operation. No two orders have the same correlation.
    package enum Order: Sendable {
        case one(Fleet.Command)
        /// The inventory is read again.
        case provisionAll(correlation: String)

        package var correlation: String {
            switch self {
            case .one(let command): command.correlation
            case .provisionAll(let correlation): correlation
            }
        }
    }

    /// The dialogue that runs on a port, or is about to.
    struct Line {
        var number: Int
        var link: ModuleLink?
        /// Whether the port is to be released, even if the link is only about to be opened.
        var isClosed = false
        /// Whether the dialogue has ended.
        var hasEnded = false
        /// Lost reports of the module that have not been published, and the time of the last publication.
        var lost: (dropped: UInt64, unreadable: UInt64) = (0, 0)
        var toldLossAt: Duration = .zero
        var task: Task<Void, Never>
    }

    /// Minimum interval between two notifications of lost reports.
    static let lossInterval: Duration = .seconds(60)

    /// - Parameters:
    ///   - bindingsBeside: the bindings stored beside the inventory before there was a gateway.
    ///   - radio: the inbox that the modules' states and events, and changes of the inventory, are sent to.
    ///   - reload: reads the inventory again.
    /// - Throws: `DamagedBindings` or `UnreadableBindings`.
    package init(
        inventory: Inventory, bindingsBeside: BindingsFile?, state: StateDirectory, profile: RS9116Profile,
        topics: Topics, publisher: MQTTPublisher,
        gateway: GatewayState, radio: RadioInbox, meters: Meters = .none, logger: Logger,
        reload: @escaping @Sendable () throws -> Inventory
    ) throws {
        bindingsFile = .ofGateway(state.path)
        let bindings = try ModuleBindings.read(bindingsFile, beside: bindingsBeside, for: inventory)
        fleet = Fleet(inventory: inventory, bindings: bindings.all)
        self.inventory = inventory
        self.profile = profile
        self.topics = topics
        self.publisher = publisher
        self.gateway = gateway
        self.radio = radio
        self.meters = meters
        self.logger = logger
        self.reload = reload
        audit = AuditLog(path: state.path + "/audit.jsonl", actor: "gateway")
        (airEvents, air) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(4096))
        try keep(bindings, besides: bindingsBeside)
    }

    /// Logs and saves the bindings taken over from the file beside the inventory.
    private nonisolated func keep(_ bindings: ModuleBindings, besides file: BindingsFile?) throws {
        let path = file?.path ?? ""
        for (address, name) in bindings.contradicted.sorted(by: { $0.key < $1.key }) {
            logger.warning(
                "module binding beside the inventory ignored",
                metadata: [
                    "path": "\(path)", "address": "\(address)", "row": "\(name)",
                    "because": "\(bindingsFile.path) says otherwise",
                ])
        }
        guard !bindings.adopted.isEmpty else { return }
        try bindingsFile.write(bindings.all)
        logger.notice(
            "module bindings taken over",
            metadata: [
                "from": "\(path)", "into": "\(bindingsFile.path)",
                "rows": "\(bindings.adopted.values.sorted().joined(separator: ", "))",
            ])
    }

    /// Passes on what was heard of our own beacons.
    package nonisolated func hear(_ events: [AdvertisingWatch.Event]) {
        for event in events { air.yield(event) }
    }

    package func run() async throws {
        await gateway.setNames(inventory)
        let ports = (try? SerialPorts.all()) ?? []
        await perform(fleet.start(ports: ports + Self.portsOutsideUdev(inventory)))
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.followPorts() }
                group.addTask { [airEvents, inbox] in
                    for await event in airEvents { await inbox.send(.input(.air(event))) }
                }
                await serve()
                group.cancelAll()
            }
        } onGracefulShutdown: { [inbox] in
            inbox.finish()
        }
        await stop()
    }

    private nonisolated func followPorts() async {
        do {
            for try await change in try SerialPorts.changes() {
                switch change {
                case .appeared(let port): await inbox.send(.input(.portAppeared(port)))
                case .vanished(let device): await inbox.send(.input(.portVanished(device: device)))
                }
            }
        } catch {
            logger.error(
                "port monitoring failed, newly connected modules will not be detected",
                metadata: .init(describing: error))
        }
    }

    /// Returns the ports that the inventory names and that udev does not know: pseudo-terminals, and links to them.
    package static func portsOutsideUdev(_ inventory: Inventory) -> [SerialPortDescription] {
        let known = (try? SerialPorts.all()) ?? []
        return inventory.entries.compactMap { entry in
            guard case .port(let path) = entry.module,
                !["/dev/tty", "/dev/serial/", "/dev/beacon/"].contains(where: path.hasPrefix),
                !known.contains(where: { $0.isCalled(path) })
            else { return nil }
            return SerialPortDescription(device: path, names: [], usb: nil)
        }
    }

    private func serve() async {
        for await message in inbox {
            switch message {
            case .input(let input): await take(input)
            case .said(let device, let number, let event):
                guard links[device]?.number == number else { break }
                switch event {
                case .report(let step):
                    logger.debug("module step", metadata: ["port": "\(device)", "step": "\(step.line)"])
                case .changed(let change): await take(.said(device: device, change))
                // Receptions go to the mailbox; the end follows as `.ended`.
                case .received, .finished: break
                }
            case .ended(let device, let number, let error):
                guard links[device]?.number == number else { break }
                links[device]?.hasEnded = true
                await take(.linkEnded(device: device, error.map { PortFailure($0) }))
            case .alarm:
                alarm = nil
                await perform(fleet.advance(to: now))
            case .order(let order): await take(order)
            }
        }
    }

    private func stop() async {
        inbox.finish()
        hasEnded = true
        for continuation in waiting.values { continuation.finish() }
        waiting = [:]
        alarm?.task.cancel()
        for device in links.keys { close(device) }
        for device in Array(links.keys) {
            await links[device]?.task.value
            links[device] = nil
        }
    }

    /// What delays the end: serial ports whose last dialogue has not ended. `nil`: nothing.
    package var obstacleToEnd: String? {
        guard hasEnded, !links.isEmpty else { return nil }
        return "serial ports not released yet: \(links.keys.sorted().joined(separator: ", "))"
    }

    var now: Duration { ContinuousClock.now - start }

    func take(_ input: Fleet.Input) async { await perform(fleet.handle(input, now: now)) }

    private func perform(_ actions: [Fleet.Action]) async {
        for action in actions {
            switch action {
            case .open(let port, let kind, let expected): open(port, kind, expected)
            case .post(let device, let input): links[device]?.link?.post(input)
            case .close(let device): close(device)
            case .status(let status): await tell(status)
            case .others(let others): await tell(others)
            case .bindingsChanged(let bindings):
                do {
                    try bindingsFile.write(bindings)
                } catch {
                    logger.error("module bindings not saved", metadata: .init(describing: error))
                }
            case .happened(let event): note(event)
            case .reply(let reply):
                answer(reply.command.correlation, CommandOutcome(ok: reply.succeeded, text: reply.text))
            }
        }
        tellMissing()
        setAlarm()
    }
}
