import AsyncAlgorithms
import BeaconModel
package import GatewayCore
package import Logging
package import MQTTBridge
package import ModuleDialogues
package import RecordContract
import ServiceLifecycle
import SystemIO
import UARTConfig

/// Keeps all modules advertising what the inventory says, by carrying out the decisions of `Fleet`.
package actor FleetService: Service {
    private let topics: Topics
    private let publisher: MQTTPublisher
    private let gateway: GatewayState
    private let audit: AuditLog
    private let bindingsFile: BindingsFile
    private var profile: RS9116Profile
    private let reload: @Sendable () throws -> Inventory
    private let radio: RadioInbox
    private let logger: Logger

    private var fleet: Fleet
    private var failures = ModuleFailures()
    /// Continuations that wait for the outcome of an order, by its correlation.
    private var waiting: [String: AsyncStream<CommandOutcome>.Continuation] = [:]
    private var hasEnded = false
    private var inventory: Inventory
    private var links: [String: Line] = [:]
    private var linkCount = 0
    private var toldOthers: [Fleet.OtherPort] = []
    private let start = ContinuousClock.now
    private var alarm: (task: Task<Void, Never>, at: Duration)?

    /// Inbox of the service. A sender waits until its message is read, so a flood of commands or bytes cannot grow the
    /// inbox.
    private nonisolated let inbox = AsyncChannel<Message>()
    private nonisolated let airEvents: AsyncStream<AdvertisingWatch.Event>
    private nonisolated let air: AsyncStream<AdvertisingWatch.Event>.Continuation

    private enum Message: Sendable {
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
    private struct Line {
        var number: Int
        var link: ModuleLink?
        /// Whether the port is to be released, even if the link is only about to be opened.
        var isClosed = false
        /// Lost reports of the module that have not been published, and the time of the last publication.
        var lost: (dropped: UInt64, unreadable: UInt64) = (0, 0)
        var toldLossAt: Duration = .zero
        var task: Task<Void, Never>
    }

    /// Minimum interval between two notifications of lost reports.
    private static let lossInterval: Duration = .seconds(60)

    /// - Parameters:
    ///   - bindingsBeside: the bindings stored beside the inventory before there was a gateway.
    ///   - radio: the inbox that the modules' states and events, and changes of the inventory, are sent to.
    ///   - reload: reads the inventory again.
    /// - Throws: `DamagedBindings` or `UnreadableBindings`.
    package init(
        inventory: Inventory, bindingsBeside: BindingsFile?, state: StateDirectory, profile: RS9116Profile,
        topics: Topics, publisher: MQTTPublisher,
        gateway: GatewayState, radio: RadioInbox, logger: Logger, reload: @escaping @Sendable () throws -> Inventory
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
        await perform(fleet.start())
        for port in Self.portsOutsideUdev(inventory) { await take(.portAppeared(port)) }
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
            guard case .port(let path) = entry.module, !path.hasPrefix("/dev/tty"), !path.hasPrefix("/dev/serial/"),
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
                    logger.debug("module", metadata: ["port": "\(device)", "step": "\(step.line)"])
                case .changed(let change): await take(.said(device: device, change))
                // Receptions go to the mailbox; the end follows as `.ended`.
                case .received, .finished: break
                }
            case .ended(let device, let number, let error):
                guard links[device]?.number == number else { break }
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
        for line in links.values { await line.task.value }
    }

    private var now: Duration { ContinuousClock.now - start }

    private func take(_ input: Fleet.Input) async { await perform(fleet.handle(input, now: now)) }

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
        setAlarm()
    }

    // MARK: Links

    private func close(_ device: String) {
        links[device]?.isClosed = true
        links[device]?.link?.close()
    }

    private func open(_ port: SerialPortDescription, _ kind: ModuleKind, _ expected: BeaconConfiguration?) {
        linkCount += 1
        let number = linkCount
        let device = port.device
        let before = links[device]
        close(device)
        let dialogue = kind.dialogue(expected: expected, profile: profile)
        let hearing = HearingMailbox()
        Task { await self.follow(hearing, device: device, number: number) }
        let task = Task { [inbox] in
            // The port is free again when the last dialogue on it has ended.
            await before?.task.value
            defer { hearing.finish() }
            do {
                let link = try ModuleLink(port: port.name, dialogue: dialogue, hearing: hearing)
                self.begin(link, device: device, number: number)
                for try await event in link.events {
                    await inbox.send(.said(device: device, number: number, event))
                }
                await inbox.send(.ended(device: device, number: number, nil))
            } catch {
                await inbox.send(.ended(device: device, number: number, error))
            }
        }
        links[device] = Line(number: number, link: nil, task: task)
    }

    /// Passes on what the module on a port hears, apart from all other input: a flood of it delays nothing.
    private func follow(_ hearing: HearingMailbox, device: String, number: Int) async {
        var listener: Fleet.Listener?
        for await _ in hearing.arrivals {
            listener = fleet.listener(on: device) ?? listener
            let batch = hearing.take()
            await tell(batch, of: listener)
            if batch.dropped > 0 || batch.unreadable > 0 { await count(batch, device: device, number: number) }
        }
        // When the port closes, the module's listening ends with it.
        var last = hearing.take()
        last.items.append(.init(time: WallClock.now(), what: .listening(.ended(.interrupted))))
        await tell(last, of: fleet.listener(on: device) ?? listener)
    }

    private nonisolated func tell(_ batch: HearingQueue.Batch, of listener: Fleet.Listener?) async {
        guard let listener, !batch.isEmpty else { return }
        await radio.send(
            .heardByModule(ModuleHearing(module: listener.name, address: listener.address, batch: batch)))
    }

    private func count(_ batch: HearingQueue.Batch, device: String, number: Int) async {
        guard var line = links[device], line.number == number else { return }
        line.lost.dropped += batch.dropped
        line.lost.unreadable += batch.unreadable
        let lost = line.lost
        let isDue = line.toldLossAt == .zero || now - line.toldLossAt >= Self.lossInterval
        if isDue {
            line.lost = (0, 0)
            line.toldLossAt = now
        }
        links[device] = line
        guard isDue else { return }
        await take(.lostReports(device: device, dropped: lost.dropped, unreadable: lost.unreadable))
    }

    private func begin(_ link: ModuleLink, device: String, number: Int) {
        guard let line = links[device], line.number == number, !line.isClosed else {
            // The link is no longer wanted. Its events end with it.
            link.close()
            return
        }
        links[device]?.link = link
    }

    private func setAlarm() {
        let deadline = fleet.nextDeadline
        if alarm?.at == deadline { return }
        alarm?.task.cancel()
        alarm = deadline.map { deadline in
            let wait = max(.zero, deadline - now)
            let task = Task { [inbox] in
                guard (try? await Task.sleep(for: wait)) != nil else { return }
                await inbox.send(.alarm)
            }
            return (task, deadline)
        }
    }

    // MARK: Publishing

    private func tell(_ status: ModuleStatus) async {
        var metadata: Logger.Metadata = [
            "name": "\(status.entry.name)", "state": "\(status.condition.rawValue)",
            "beacon": "\(status.entry.configuration.beacon)",
        ]
        if let port = status.port { metadata["port"] = "\(port)" }
        if let problem = status.problem {
            metadata["error"] = "\(problem.what)"
            if let remedy = problem.remedy { metadata["remedy"] = "\(remedy)" }
        }
        switch status.condition {
        case .failed, .notHeard: logger.error("module", metadata: metadata)
        case .absent where status.entry.module != .anyNew: logger.warning("module", metadata: metadata)
        case .absent, .provisioning, .advertising, .unverified: logger.info("module", metadata: metadata)
        }
        await gateway.setModule(GatewayInfo.Module(status))
        await publisher.setState(ModuleState(status).encoded, topic: topics.moduleState(status.entry.name))
        // Last, because the radio may wait for the disk.
        await radio.send(.module(status))
        if let event = failures.update(status, at: WallClock.now()) { await radio.send(.moduleEvent(event)) }
    }

    private func tell(_ others: [Fleet.OtherPort]) async {
        for other in others where !toldOthers.contains(other) {
            var metadata: Logger.Metadata = ["port": "\(other.port)", "error": "\(other.problem.what)"]
            if let address = other.address { metadata["address"] = "\(address)" }
            if let remedy = other.problem.remedy { metadata["remedy"] = "\(remedy)" }
            logger.warning("port without a module of the inventory", metadata: metadata)
        }
        toldOthers = others
        await gateway.setOtherPorts(
            others.map {
                GatewayInfo.Port(
                    port: $0.port, address: $0.address?.description, error: $0.problem.what,
                    remedy: $0.problem.remedy)
            })
    }

    private func note(_ event: Fleet.Event) {
        do {
            try audit.add(event, at: WallClock.now())
        } catch {
            logger.error("audit log not written", metadata: .init(describing: error))
        }
    }

    // MARK: Commands

    /// Replaces the profile of RS9116 modules, for ports that are opened from now on.
    func setProfile(_ profile: RS9116Profile) { self.profile = profile }

    /// Carries an order out after those before it, and returns its outcome.
    package func carryOut(_ order: Order) async -> CommandOutcome {
        guard !hasEnded else { return .stopping }
        let (outcomes, continuation) = AsyncStream<CommandOutcome>.makeStream()
        waiting[order.correlation] = continuation
        await inbox.send(.order(order))
        for await outcome in outcomes { return outcome }
        waiting[order.correlation] = nil
        return .stopping
    }

    private func take(_ order: Order) async {
        switch order {
        case .one(let command):
            if command.name == .provision, let problem = await readInventoryAgain() {
                answer(command.correlation, CommandOutcome(ok: false, text: problem))
                return
            }
            await take(.command(command))
        case .provisionAll(let correlation):
            let problem = await readInventoryAgain()
            answer(
                correlation,
                CommandOutcome(
                    ok: problem == nil,
                    text: problem ?? "inventory reloaded: \(inventory.entries.count) modules; see their states"))
        }
    }

    /// Reads the inventory again. The inventory is the only definition of what a module advertises, so a change to it
    /// takes effect by a command.
    ///
    /// - Returns: the reason why the inventory cannot be used, in which case nothing changes.
    private func readInventoryAgain() async -> String? {
        let new: Inventory
        do {
            new = try reload()
        } catch {
            logger.error("inventory rejected, keeping the previous one", metadata: .init(describing: error))
            return error.inOneLine
        }
        guard new != inventory else { return nil }
        let gone = Set(inventory.entries.map(\.name)).subtracting(new.entries.map(\.name))
        inventory = new
        await gateway.setNames(new)
        for name in gone {
            await publisher.setState([], topic: topics.moduleState(name))
            await gateway.removeModule(name)
            failures.forget(name)
        }
        await radio.send(.inventory(new))
        await take(.inventory(new))
        for port in Self.portsOutsideUdev(new) { await take(.portAppeared(port)) }
        return nil
    }

    private func answer(_ correlation: String, _ outcome: CommandOutcome) {
        guard let continuation = waiting.removeValue(forKey: correlation) else { return }
        continuation.yield(outcome)
        continuation.finish()
    }
}
