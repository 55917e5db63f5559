public import BeaconModel

/// All modules of a gateway: their assignments, their states, and the actions that reconcile the two. Pure; knows no
/// module's commands.
public struct Fleet: Sendable {
    let rules: Rules
    var assignment: ModuleAssignment
    var ports: [String: PortSupervisor] = [:]
    var receptions = FleetReceptions()
    var pending = PendingCommands()
    var status: FleetStatus
    private var lastApplied: [String: BeaconConfiguration] = [:]

    /// Creates a fleet without open ports.
    public init(inventory: Inventory, bindings: [BluetoothAddress: String] = [:], rules: Rules = Rules()) {
        self.rules = rules
        assignment = ModuleAssignment(inventory: inventory, bindings: bindings)
        status = FleetStatus(rules: rules)
    }

    /// Time at which `advance` must be called.
    public var nextDeadline: Duration? {
        (ports.values.compactMap(\.wakeAt) + [status.nextDeadline].compactMap(\.self)).min()
    }

    /// The status of each module of the inventory, in its order.
    public var statuses: [ModuleStatus] {
        let rows = FleetRows(ports)
        return assignment.inventory.entries.map { status(of: $0, rows) }
    }

    /// Whether the module on some port is not known yet. A port whose module has failed to answer counts as known.
    package var isSearching: Bool { ports.values.contains(where: \.isBeingIdentified) }

    /// Returns the module on a port, if it must listen.
    public func listener(on device: String) -> Listener? {
        guard let port = ports[device], port.listening != nil, let name = port.entry else { return nil }
        return Listener(name: name, address: port.identity?.address)
    }

    /// Begins with the ports that are there, at the time 0 of the monotonic clock, and returns the resulting actions.
    ///
    /// Only modules without one of these ports are published as absent.
    public mutating func start(ports: [SerialPortDescription] = []) -> [Action] {
        ports.flatMap { appeared($0, .zero) } + publish(.zero)
    }

    /// Handles an event at the time `now` of a monotonic clock, and returns the resulting actions.
    public mutating func handle(_ input: Input, now: Duration) -> [Action] {
        var actions: [Action] = []
        var isHearsay = false
        switch input {
        case .said(_, .listening(let listening)) where listening.isNoNews: return []
        case .air(.audible(let reception)) where receptions.has(reception): return []
        case .portAppeared(let port): actions = appeared(port, now)
        case .portVanished(let device): actions = vanished(device, now)
        case .said(let device, let change): actions = said(device, change, now)
        case .linkEnded(let device, let failure): actions = linkEnded(device, failure, now)
        case .air(let event):
            actions = heard(event, now)
            isHearsay = true
        case .command(let command): actions = take(command)
        case .inventory(let inventory): actions = replace(inventory, now)
        case .lostReports(let device, let dropped, let unreadable):
            ports[device]?.lostReports(dropped: dropped, unreadable: unreadable)
        }
        return actions + publish(now, isHearsay: isHearsay)
    }

    /// Performs the actions that are due.
    public mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        for (device, port) in ports.sorted(by: { $0.key < $1.key }) {
            guard let wakeAt = port.wakeAt, now >= wakeAt else { continue }
            switch port.phase {
            case _ where port.awayUntil != nil: actions += unplugged(device)
            case .waiting: actions += open(device)
            case .working:
                ports[device]?.hearingIsDue()
                actions += insist(device, now)
            case .busy, .unassigned: break
            }
        }
        return actions + publish(now)
    }

    // MARK: Ports

    mutating func appeared(_ description: SerialPortDescription, _ now: Duration) -> [Action] {
        let device = description.device
        if let known = ports[device] {
            guard known.description != description else {
                ports[device]?.comeBack()
                return []
            }
            // Another device has the same name: the removal of its predecessor was missed.
            return unplugged(device) + appeared(description, now)
        }
        guard assignment.isOfInterest(description) else { return [] }
        // The port was opened under another of its names; the new description is more complete.
        if let alias = ports.first(where: { description.isCalled($0.key) || $0.value.description.isCalled(device) }) {
            return forget(alias.key) + appeared(description, now)
        }
        ports[device] = PortSupervisor(
            description: description, kinds: assignment.kinds(on: description),
            expected: assignment.entry(for: description)?.name, rules: rules)
        return open(device)
    }

    private mutating func vanished(_ device: String, _ now: Duration) -> [Action] {
        // The port's dialogue waits for it to come back.
        guard ports[device]?.goAway(now) == true else { return unplugged(device) }
        receptions.forget(ports[device]?.identity?.address)
        return []
    }

    private mutating func unplugged(_ device: String) -> [Action] {
        guard let port = ports[device] else { return [] }
        receptions.forget(port.identity?.address)
        let actions = forget(device)
        guard let name = port.entry else { return actions }
        return actions + [.happened(event(.unplugged, name, port))] + pending.answer(name, .unplugged)
    }

    mutating func forget(_ device: String) -> [Action] {
        guard let port = ports.removeValue(forKey: device) else { return [] }
        assignment.release(port.description)
        var actions: [Action] = port.isOpen ? [.close(device: device)] : []
        // The released entry may suit a module that had none.
        for (other, port) in ports.sorted(by: { $0.key < $1.key }) where port.phase == .unassigned(isOpen: false) {
            actions += open(other)
        }
        return actions
    }

    mutating func open(_ device: String) -> [Action] {
        ports[device]?.open()
        guard let port = ports[device] else { return [] }
        let expected = (port.entry ?? port.expected).flatMap { assignment.entry(named: $0) }
        return [.open(port.description, kind: port.kind, expected: expected?.configuration)]
    }

    private mutating func linkEnded(_ device: String, _ failure: PortFailure?, _ now: Duration) -> [Action] {
        guard let port = ports[device], port.isOpen, let end = ports[device]?.ended(failure, now),
            let name = port.entry ?? port.expected
        else { return [] }
        // A repeated identical failure is reported once.
        let news: [Action] = end.isNews ? [.happened(event(.failed(end.failure.what), name, port))] : []
        return news + pending.answer(name, .failed(end.failure))
    }

    // MARK: Dialogue events

    private mutating func said(_ device: String, _ change: ModuleChange, _ now: Duration) -> [Action] {
        guard let port = ports[device], port.isOpen else { return [] }
        switch change {
        case .identified(let identity): return identified(device, identity)
        case .provisioned(let module): return provisioned(device, module, now)
        case .lost(let loss):
            receptions.forget(port.identity?.address)
            ports[device]?.lost()
            return port.entry.map { [.happened(event(.lost(loss), $0, port))] } ?? []
        case .listening(let news): ports[device]?.told(news)
        case .failed(let error): ports[device]?.failed(error)
        }
        return []
    }

    private mutating func identified(_ device: String, _ identity: ModuleIdentity) -> [Action] {
        guard let before = ports[device] else { return [] }
        let entry = assignment.assign(
            identity.address, kind: before.kind, on: before.description, applied: identity.applied)
        ports[device]?.identified(identity, entry: entry?.name)
        var actions: [Action] = []
        if let entry, let port = ports[device] {
            if entry.module == .anyNew { actions.append(.bindingsChanged(assignment.bindings)) }
            if before.entry != entry.name { actions.append(.happened(event(.plugged, entry.name, port))) }
        } else if let name = before.entry ?? before.expected {
            actions += pending.answer(name, .otherModuleOnPort)
        }
        actions += listen(device, entry?.listens == true)
        return actions + [.post(device: device, .assigned(entry?.configuration))]
    }

    private mutating func provisioned(
        _ device: String, _ module: ProvisionedModule, _ now: Duration
    ) -> [Action] {
        guard let port = ports[device], let name = port.entry else { return [] }
        ports[device]?.provisioned(module, now)
        let before = lastApplied.updateValue(module.configuration, forKey: name)
        let news: [Action] =
            module.isUnchanged
            ? [] : [.happened(event(.provisioned(module.configuration, before: before), name, port))]
        return news
            + pending.answer(name, .advertises(isUnchanged: module.isUnchanged), only: [.provision, .reset])
    }

    /// Switches listening on or off for the module on a port.
    mutating func listen(_ device: String, _ isWanted: Bool) -> [Action] {
        ports[device]?.listen(isWanted) == true ? [.post(device: device, .listen(isWanted))] : []
    }

    // MARK: Publishing

    func event(_ what: Event.What, _ name: String, _ port: PortSupervisor) -> Event {
        Event(module: name, port: port.description.name, address: port.identity?.address, what: what)
    }

    func status(of entry: InventoryEntry, _ rows: FleetRows) -> ModuleStatus {
        ModuleStatus(entry, on: rows.device(of: entry.name).flatMap { ports[$0] }, receptions)
    }

    private mutating func publish(_ now: Duration, isHearsay: Bool = false) -> [Action] {
        let rows = FleetRows(ports)
        let others = others(rows)
        let (ports, receptions) = (ports, receptions)
        let changes = status.publish(assignment.inventory.entries, now, isHearsay: isHearsay) { entry in
            ModuleStatus(entry, on: rows.device(of: entry.name).flatMap { ports[$0] }, receptions)
        }
        return changes + status.publish(others)
    }

    private func others(_ rows: FleetRows) -> [OtherPort] {
        ports.filter { !rows.hasRow($0.key) }.compactMap { _, port in
            OtherPort(port, lostRow: port.identity.flatMap { assignment.lostEntry(of: $0.address) })
        }.sorted { $0.port < $1.port }
    }
}
