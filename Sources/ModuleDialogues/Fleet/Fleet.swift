public import BeaconModel

/// All modules of a gateway: their assignments, their states, and the actions that reconcile the two. Pure; knows no
/// module's commands.
public struct Fleet: Sendable {
    /// An event for the fleet.
    public enum Input: Sendable {
        /// A serial port was plugged in.
        case portAppeared(SerialPortDescription)
        /// A port disappeared; `device` is the kernel's name.
        case portVanished(device: String)
        /// The dialogue on a port reported a change.
        case said(device: String, ModuleChange)
        /// The dialogue on a port ended, with the error that ended it.
        case linkEnded(device: String, (any Error)?)
        /// The reception of a beacon changed.
        case air(AirWatch.Event)
        /// An operator gave a command.
        case command(Command)
        /// The inventory changed.
        case inventory(Inventory)
        /// Reports of the module on a port that were lost since the last such input.
        case lostReports(device: String, dropped: UInt64, unreadable: UInt64)
    }

    /// An action that the owner of the fleet carries out.
    public enum Action: Sendable {
        /// Open a port and start the dialogue with a module of this kind.
        case open(SerialPortDescription, kind: ModuleKind, expected: BeaconConfiguration?)
        case post(device: String, ModuleRequest)
        case close(device: String)
        /// Publish the status of a module.
        case status(ModuleStatus)
        /// All ports whose module has no row in the inventory or has not been identified.
        case others([OtherPort])
        /// Store which module has which entry.
        case bindingsChanged([BluetoothAddress: String])
        /// Record an event in the audit log.
        case happened(Event)
        /// Answer a command.
        case reply(Reply)
    }

    /// An event for the audit log.
    public struct Event: Equatable, Sendable {
        /// The kind of an event.
        public enum What: Equatable, Sendable {
            /// The module was provisioned; `before` is what it advertised until then, if known.
            case provisioned(BeaconConfiguration, before: BeaconConfiguration?)
            /// The module no longer does what it should.
            case lost(ModuleLoss)
            /// The module could not be provisioned.
            case failed(String)
            /// The module was plugged in, or unplugged.
            case plugged, unplugged
            /// The module's beacon is not received.
            case notHeard
            /// An operator gave a command for the module.
            case commanded(Command.Name)
        }

        /// Name of the module's entry.
        public var module: String
        /// The module's port, if it is plugged in.
        public var port: String?
        /// The module's address, if it is known.
        public var address: BluetoothAddress?
        /// What happened.
        public var what: What

        /// Creates an event from its parts.
        public init(module: String, port: String?, address: BluetoothAddress?, what: What) {
            self.module = module
            self.port = port
            self.address = address
            self.what = what
        }
    }

    /// A port that cannot be reported as a module of the inventory.
    public struct OtherPort: Equatable, Sendable {
        /// The serial port.
        public var port: String
        /// Address of the module; `nil` when it has not been identified.
        public var address: BluetoothAddress?
        /// The reason why the port is not used.
        public var problem: ModuleStatus.Problem
    }

    /// A command of an operator.
    public struct Command: Equatable, Sendable {
        /// The commands for modules.
        public enum Name: String, CaseIterable, Sendable {
            /// Bring the module to its entry, flicker its lights, or provision it from a reset.
            case provision, identify, reset
        }

        /// The command.
        public var name: Name
        /// Name of the module's entry.
        public var module: String
        /// Correlation data, returned with the reply.
        public var correlation: String

        /// Creates a command from its parts.
        public init(_ name: Name, module: String, correlation: String) {
            self.name = name
            self.module = module
            self.correlation = correlation
        }
    }

    /// The answer to a command.
    public struct Reply: Equatable, Sendable {
        /// The command that is answered.
        public var command: Command
        /// Whether the command was carried out.
        public var succeeded: Bool
        /// The result of the command, or the reason why nothing was done.
        public var text: String
    }

    /// Delays and limits of the fleet.
    public struct Rules: Equatable, Sendable {
        /// First delay before a failed module is tried again. It doubles with each failure, up to `longestRetry`.
        public var firstRetry: Duration = .seconds(5)
        /// Longest time between two attempts.
        public var longestRetry: Duration = .seconds(600)
        /// Maximum time that a port may be absent when it disappears with every reset of its module.
        public var longestAbsence: Duration = .seconds(6)
        /// Time within which a module must be heard again after it was checked.
        public var hearingPatience: Duration = .seconds(15)
        /// Maximum number of commands that wait for completion.
        public var mostPendingCommands = 64
        /// Number of status changes caused by radio data that are published at once in a row; further ones are
        /// published at `hearsayInterval`. A sender that imitates a module must not be able to make the gateway write
        /// and publish without limit.
        public var hearsayRunning = 6
        /// Time between status changes caused by radio data, beyond the first `hearsayRunning`.
        public var hearsayInterval: Duration = .seconds(10)

        /// Creates the default rules.
        public init() {}
    }

    private let rules: Rules
    private var assignment: ModuleAssignment
    private var ports: [String: FleetPort] = [:]
    private var published: [String: ModuleStatus] = [:]
    private var publishedOthers: [OtherPort] = []
    /// Earliest time at which a status change caused by radio data may be published again, by module. `untold` holds
    /// the modules whose changes may still be unpublished.
    private var tellAt: [String: Duration] = [:]
    private var untold: Set<String> = []
    /// Current receptions, by beacon and address.
    private var receptions: [BeaconID: [BluetoothAddress: AirWatch.Reception]] = [:]
    private var isListening = false
    private var pending: [Command] = []
    private var lastApplied: [String: BeaconConfiguration] = [:]

    /// Creates a fleet without open ports.
    public init(inventory: Inventory, bindings: [BluetoothAddress: String] = [:], rules: Rules = Rules()) {
        self.rules = rules
        assignment = ModuleAssignment(inventory: inventory, bindings: bindings)
    }

    /// Time at which `advance` must be called.
    public var nextDeadline: Duration? {
        (ports.values.compactMap(\.wakeAt) + untold.compactMap { tellAt[$0] }).min()
    }

    /// The status of each module of the inventory, in its order.
    public var statuses: [ModuleStatus] { assignment.inventory.entries.map { status(of: $0) } }

    /// Returns the initial states to publish.
    public mutating func start() -> [Action] { publish(.zero) }

    /// Handles an event at the time `now` of a monotonic clock, and returns the resulting actions.
    public mutating func handle(_ input: Input, now: Duration) -> [Action] {
        var actions: [Action] = []
        var isHearsay = false
        switch input {
        case .said(_, .listening(let listening)) where listening.isNoNews: return []
        case .air(.audible(let reception)) where isKnown(reception): return []
        case .portAppeared(let port): actions = appeared(port, now)
        case .portVanished(let device): actions = vanished(device, now)
        case .said(let device, let change): actions = said(device, change, now)
        case .linkEnded(let device, let error): actions = linkEnded(device, error, now)
        case .air(let event):
            actions = heard(event, now)
            isHearsay = true
        case .command(let command): actions = take(command)
        case .inventory(let inventory): actions = replace(inventory, now)
        case .lostReports(let device, let dropped, let unreadable):
            ports[device]?.listening?.dropped += dropped
            ports[device]?.listening?.unreadable += unreadable
        }
        return actions + publish(now, isHearsay: isHearsay)
    }

    /// Performs the actions that are due.
    public mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        for (device, port) in ports.sorted(by: { $0.key < $1.key }) {
            guard let wakeAt = port.wakeAt, now >= wakeAt else { continue }
            ports[device]?.wakeAt = nil
            if port.isAway {
                actions += vanished(device, now)
                continue
            }
            switch port.phase {
            case .waiting: actions += open(device)
            case .working: actions += insist(device, now)
            case .busy, .unassigned: break
            }
        }
        return actions + publish(now)
    }

    // MARK: Ports

    private mutating func appeared(_ description: SerialPortDescription, _ now: Duration) -> [Action] {
        let device = description.device
        if let known = ports[device] {
            guard known.description != description else {
                if known.isAway {
                    ports[device]?.isAway = false
                    ports[device]?.wakeAt = nil
                }
                return []
            }
            // Another device has the same name: the removal of its predecessor was missed.
            ports[device]?.isAway = true
            let actions = vanished(device, now)
            return actions + appeared(description, now)
        }
        guard assignment.isOfInterest(description) else { return [] }
        // The port was opened under another of its names; the new description is more complete.
        if let alias = ports.first(where: { description.isCalled($0.key) || $0.value.description.isCalled(device) }) {
            return forget(alias.key) + appeared(description, now)
        }
        ports[device] = FleetPort(description: description, kinds: assignment.kinds(on: description), rules: rules)
        return open(device)
    }

    private mutating func vanished(_ device: String, _ now: Duration) -> [Action] {
        guard let port = ports[device] else { return [] }
        forgetReceptions(of: port)
        if port.isOpen, !port.isAway, port.description.goesWithReset {
            // The port's dialogue waits for it to come back.
            ports[device]?.isAway = true
            ports[device]?.wakeAt = now + rules.longestAbsence
            return []
        }
        var actions = forget(device)
        if let name = port.entry {
            actions.append(.happened(event(.unplugged, name, port)))
            actions += answer(name, succeeded: false, "the module was unplugged")
        }
        return actions
    }

    private mutating func forget(_ device: String) -> [Action] {
        guard let port = ports.removeValue(forKey: device) else { return [] }
        assignment.release(port.description)
        var actions: [Action] = port.isOpen ? [.close(device: device)] : []
        // The released entry may suit a module that had none.
        for (other, port) in ports.sorted(by: { $0.key < $1.key }) where port.phase == .unassigned && !port.isOpen {
            actions += open(other)
        }
        return actions
    }

    private mutating func open(_ device: String) -> [Action] {
        guard var port = ports[device] else { return [] }
        port.phase = .busy
        port.isOpen = true
        port.wakeAt = nil
        ports[device] = port
        let expected = port.entry.flatMap { assignment.entry(named: $0) } ?? assignment.entry(for: port.description)
        return [.open(port.description, kind: port.kind, expected: expected?.configuration)]
    }

    private mutating func linkEnded(_ device: String, _ error: (any Error)?, _ now: Duration) -> [Action] {
        guard var port = ports[device], port.isOpen else { return [] }
        port.isOpen = false
        // The next dialogue must be told again whether to listen.
        port.listening = nil
        if port.phase == .unassigned {
            ports[device] = port
            return []
        }
        let error = port.error ?? error
        port.error = nil
        let what = error?.inOneLine ?? "the dialogue ended"
        let isNews = port.problem?.what != what
        port.problem = .init(what: what, remedy: (error as? any OperatorError)?.remedy)
        port.provisioned = nil
        port.isMissing =
            switch error as? SerialPortError {
            case .notFound?, .vanished?: true
            default: false
            }
        port.fail(now)
        let name = port.entry ?? assignment.entry(for: port.description)?.name
        ports[device] = port
        guard let name else { return [] }
        // A repeated identical failure is reported once.
        let news: [Action] = isNews ? [.happened(event(.failed(what), name, port))] : []
        return news + answer(name, succeeded: false, what)
    }

    // MARK: Dialogue events

    private mutating func said(_ device: String, _ change: ModuleChange, _ now: Duration) -> [Action] {
        guard var port = ports[device], port.isOpen else { return [] }
        var actions: [Action] = []
        switch change {
        case .identified(let identity):
            port.identity = identity
            let before = port.entry
            let entry = assignment.assign(
                identity.address, kind: port.kind, on: port.description, applied: identity.applied)
            port.entry = entry?.name
            if let entry {
                if entry.module == .anyNew { actions.append(.bindingsChanged(assignment.bindings)) }
                if before != entry.name { actions.append(.happened(event(.plugged, entry.name, port))) }
            } else {
                port.phase = .unassigned
                if let name = before ?? assignment.entry(for: port.description)?.name {
                    actions += answer(name, succeeded: false, "another module is on its port")
                }
            }
            ports[device] = port
            actions += listen(device, entry?.listens == true)
            port = ports[device] ?? port
            actions.append(.post(device: device, .assigned(entry?.configuration)))
        case .listening(let news): port.listening?.take(news)
        case .provisioned(let module):
            guard let name = port.entry else { break }
            port.succeed(module)
            if !module.isUnchanged {
                let before = lastApplied[name]
                actions.append(
                    .happened(event(.provisioned(module.configuration, before: before), name, port)))
            }
            lastApplied[name] = module.configuration
            let patience = now + AirWatch.silentAfter(module.configuration.interval)
            // For a module that was not heard before, the deadline set at that time remains in force.
            port.wakeAt = port.unheard == 0 ? patience : max(port.wakeAt ?? patience, patience)
            actions += answer(
                name, succeeded: true, module.isUnchanged ? "it advertises already what it should" : "it advertises",
                only: .provision, .reset)
        case .lost(let loss):
            forgetReceptions(of: port)
            port.phase = .busy
            port.provisioned = nil
            if let name = port.entry { actions.append(.happened(event(.lost(loss), name, port))) }
        case .failed(let error): port.error = error
        }
        ports[device] = port
        return actions
    }

    /// A module that must listen.
    public struct Listener: Equatable, Sendable {
        /// Name of the module's row in the inventory.
        public var name: String
        /// Address of the module, once it is known.
        public var address: BluetoothAddress?
    }

    /// Returns the module on a port, if it must listen.
    public func listener(on device: String) -> Listener? {
        guard let port = ports[device], port.listening != nil, let name = port.entry else { return nil }
        return Listener(name: name, address: port.identity?.address)
    }

    /// Switches listening on or off for the module on a port.
    private mutating func listen(_ device: String, _ isWanted: Bool) -> [Action] {
        guard (ports[device]?.listening != nil) != isWanted else { return [] }
        ports[device]?.listening = isWanted ? .init(.starting) : nil
        return [.post(device: device, .listen(isWanted))]
    }

    // MARK: Reception

    private mutating func heard(_ event: AirWatch.Event, _ now: Duration) -> [Action] {
        switch event {
        case .listening:
            isListening = true
            for device in ports.keys { rearm(device, now) }
        case .deaf:
            isListening = false
            receptions.removeAll()
        case .audible(let reception):
            receptions[reception.beacon, default: [:]][reception.address] = reception
            guard let device = device(of: reception.address, reception.beacon) else { return [] }
            if ports[device]?.provisioned?.configuration.measuredPower != reception.measuredPower {
                // Another party has changed the module's configuration.
                return insist(device, now)
            }
            ports[device]?.wakeAt = nil
            ports[device]?.unheard = 0
        case .silent(let beacon, let address):
            receptions[beacon]?[address] = nil
            guard let device = device(of: address, beacon) else { return [] }
            return insist(device, now)
        }
        return []
    }

    private func device(of address: BluetoothAddress, _ beacon: BeaconID) -> String? {
        ports.first {
            $0.value.provisioned?.address == address && $0.value.provisioned?.configuration.beacon == beacon
        }?
        .key
    }

    private mutating func rearm(_ device: String, _ now: Duration) {
        guard let port = ports[device], let module = port.provisioned, reception(of: module) == nil else { return }
        ports[device]?.wakeAt = now + AirWatch.silentAfter(module.configuration.interval)
    }

    private func reception(of module: ProvisionedModule) -> AirWatch.Reception? {
        receptions[module.configuration.beacon]?[module.address]
    }

    private func isKnown(_ reception: AirWatch.Reception) -> Bool {
        receptions[reception.beacon]?[reception.address]?.measuredPower == reception.measuredPower
    }

    /// Discards the receptions of a module. Earlier receptions do not prove that the module is heard after it has
    /// restarted.
    private mutating func forgetReceptions(of port: FleetPort) {
        guard let address = port.identity?.address else { return }
        for beacon in receptions.keys { receptions[beacon]?[address] = nil }
    }

    /// Checks a module that should be heard but is not, then provisions it from a reset, at increasing intervals.
    private mutating func insist(_ device: String, _ now: Duration) -> [Action] {
        guard isListening, var port = ports[device], let module = port.provisioned else { return [] }
        if reception(of: module)?.measuredPower == module.configuration.measuredPower { return [] }
        // A sender that imitates our beacons must not be able to keep the module in reset.
        if port.unheard > 0, let wakeAt = port.wakeAt, now < wakeAt { return [] }
        let attempt = port.unheard
        port.unheard += 1
        let doublings = min(max(0, attempt - 1), 8)
        port.wakeAt = now + min(rules.hearingPatience * (1 << doublings), rules.longestRetry)
        ports[device] = port
        if attempt == 0 { return [.post(device: device, .check)] }
        var actions: [Action] = [.post(device: device, .provisionAgain)]
        if attempt == 1, let name = port.entry { actions.append(.happened(event(.notHeard, name, port))) }
        return actions
    }

    // MARK: Commands

    private mutating func take(_ command: Command) -> [Action] {
        guard assignment.entry(named: command.module) != nil else {
            let names = assignment.inventory.entries.map(\.name).joined(separator: ", ")
            return [
                refusal(
                    command, "there is no module \(command.module); the modules are \(names.isEmpty ? "none" : names)")
            ]
        }
        guard let (device, port) = port(of: command.module) else {
            return [refusal(command, "the module isn't plugged in")]
        }
        guard pending.count < rules.mostPendingCommands else {
            return [refusal(command, "\(pending.count) commands are waiting already")]
        }
        var actions: [Action] = [.happened(event(.commanded(command.name), command.module, port))]
        switch (command.name, port.phase) {
        case (.identify, .working):
            actions.append(.post(device: device, .identify))
            actions.append(
                .reply(Reply(command: command, succeeded: true, text: "the lights of its serial adapter flicker")))
            return actions
        case (.identify, _): return [refusal(command, "the module doesn't answer just now")]
        case (.provision, .working):
            let isHeard = assignment.entry(named: command.module).map { status(of: $0).condition != .notHeard } ?? false
            let text = "it advertises already what it should" + (isHeard ? "" : ", it says; but it isn't heard")
            actions.append(.reply(Reply(command: command, succeeded: isHeard, text: text)))
            return actions
        case (.reset, .working):
            forgetReceptions(of: port)
            actions.append(.post(device: device, .provisionAgain))
        case (_, .waiting): actions += open(device)
        case (_, .busy), (_, .unassigned): break
        }
        pending.append(command)
        return actions
    }

    /// Returns the row that a port belongs to, as far as it is known.
    private func owner(of port: FleetPort) -> String? {
        if let entry = port.entry { return entry }
        guard port.phase != .unassigned, let name = assignment.entry(for: port.description)?.name,
            !ports.values.contains(where: { $0.entry == name })
        else { return nil }
        return name
    }

    /// Returns the port of a row. Of several candidates it is the one whose module has the row, otherwise the first by
    /// name.
    private func port(of name: String) -> (device: String, port: FleetPort)? {
        let candidates = ports.filter { owner(of: $0.value) == name }.sorted { $0.key < $1.key }
        return (candidates.first { $0.value.entry == name } ?? candidates.first).map { ($0.key, $0.value) }
    }

    private func refusal(_ command: Command, _ text: String) -> Action {
        .reply(Reply(command: command, succeeded: false, text: text))
    }

    private mutating func answer(
        _ module: String, succeeded: Bool, _ text: String, only names: Command.Name...
    ) -> [Action] {
        let answered = pending.filter { $0.module == module && (names.isEmpty || names.contains($0.name)) }
        pending.removeAll { answered.contains($0) }
        return answered.map { .reply(Reply(command: $0, succeeded: succeeded, text: text)) }
    }

    // MARK: Inventory

    private mutating func replace(_ inventory: Inventory, _ now: Duration) -> [Action] {
        let before = assignment
        assignment.replace(inventory)
        var actions: [Action] = []
        if assignment.bindings != before.bindings { actions.append(.bindingsChanged(assignment.bindings)) }
        for name in published.keys where assignment.entry(named: name) == nil {
            published[name] = nil
            tellAt[name] = nil
            untold.remove(name)
            actions += answer(name, succeeded: false, "the inventory doesn't have it any more")
        }
        let beacons = Set(inventory.entries.map(\.configuration.beacon))
        receptions = receptions.filter { beacons.contains($0.key) }
        // Entries are assigned again for each module; most keep what they had.
        for (device, port) in ports.sorted(by: { $0.key < $1.key }) {
            assignment.release(port.description)
            guard let identity = port.identity, port.isOpen, port.phase == .working else {
                actions += forget(device)
                actions += appeared(port.description, now)
                continue
            }
            guard let entry = assignment.assign(identity.address, kind: port.kind, on: port.description),
                assignment.isOfInterest(port.description)
            else {
                ports[device]?.entry = nil
                ports[device]?.provisioned = nil
                ports[device]?.phase = .unassigned
                actions.append(.post(device: device, .assigned(nil)))
                continue
            }
            ports[device]?.entry = entry.name
            actions += listen(device, entry.listens)
            if entry.configuration != port.provisioned?.configuration {
                ports[device]?.phase = .busy
                ports[device]?.provisioned = nil
                actions.append(.post(device: device, .assigned(entry.configuration)))
            }
        }
        return actions
    }

    // MARK: Publishing

    private func event(_ what: Event.What, _ name: String, _ port: FleetPort) -> Event {
        Event(module: name, port: port.description.name, address: port.identity?.address, what: what)
    }

    /// Publishes changed states.
    ///
    /// - Parameter isHearsay: whether the change was caused by received radio data, which anyone can send. Such changes
    ///   are published at once up to `hearsayRunning` times in a row, and then at an interval.
    private mutating func publish(_ now: Duration, isHearsay: Bool = false) -> [Action] {
        var actions: [Action] = []
        for entry in assignment.inventory.entries {
            let tellAt = tellAt[entry.name] ?? .zero
            if isHearsay || untold.contains(entry.name), tellAt > now {
                untold.insert(entry.name)
                continue
            }
            let status = status(of: entry)
            let isDue = untold.remove(entry.name) != nil
            if published[entry.name] != status {
                published[entry.name] = status
                actions.append(.status(status))
                if isHearsay || isDue {
                    let running = rules.hearsayInterval * (rules.hearsayRunning - 1)
                    self.tellAt[entry.name] = max(tellAt, now - running) + rules.hearsayInterval
                }
            }
        }
        let others = others
        if others != publishedOthers {
            publishedOthers = others
            actions.append(.others(others))
        }
        return actions
    }

    private var others: [OtherPort] {
        ports.values.filter { owner(of: $0) == nil }.compactMap { port in
            let name = port.description.name
            if port.phase == .unassigned {
                return OtherPort(port: name, address: port.identity?.address, problem: unassignedProblem(port))
            }
            return port.problem.map { OtherPort(port: name, address: port.identity?.address, problem: $0) }
        }.sorted { $0.port < $1.port }
    }

    private func unassignedProblem(_ port: FleetPort) -> ModuleStatus.Problem {
        guard let row = port.identity.flatMap({ assignment.lostEntry(of: $0.address) }) else {
            return .init(
                what: "the module isn't in the inventory, or its row is taken",
                remedy: "add a row for it, or one with module = any")
        }
        return .init(
            what: "the module has the row \(row), which the inventory no longer has for any module",
            remedy: "restore the row, add a row for the module's address, or stop the gateway and run "
                + "`beacon-gateway provision --config FILE --apply --rebind \(row)`")
    }

    private func status(of entry: InventoryEntry) -> ModuleStatus {
        var status = ModuleStatus(entry: entry, condition: .absent)
        status.listening = entry.listens ? .init(.starting) : nil
        guard let port = port(of: entry.name)?.port else { return status }
        status.port = port.description.name
        status.address = port.identity?.address
        status.firmware = port.identity?.firmware
        status.problem = port.problem
        if entry.listens, let listening = port.listening { status.listening = listening }
        guard let module = port.provisioned else {
            status.condition = port.isMissing ? .absent : port.phase == .waiting ? .failed : .provisioning
            return status
        }
        status.applied = module.configuration
        status.advertisingType = module.advertisingType
        status.duplicates = (receptions[module.configuration.beacon] ?? [:]).keys
            .filter { $0 != module.address }.sorted()
        if let reception = reception(of: module), reception.measuredPower == module.configuration.measuredPower {
            status.heard = reception
            status.condition = .advertising
        } else {
            status.condition = isListening && port.unheard > 1 ? .notHeard : .unverified
        }
        if let listening = status.listening, listening.condition == .deaf, let reason = listening.reason {
            status.problem = Self.deafness(reason)
        }
        if status.condition == .notHeard {
            status.problem = .init(
                what: "the module says that it advertises, but it isn't heard although others are",
                remedy: "look for metal around its antenna; unplug it and plug it in again; replace it")
        } else if !status.duplicates.isEmpty {
            status.problem = .init(
                what: "its identity is on the air from other devices too: "
                    + "\(status.duplicates.count) beside the module itself",
                remedy: "give one of them another minor; `beacon-gateway verify` names their addresses")
        }
        return status
    }

    private static func deafness(_ reason: ModuleListening.End) -> ModuleStatus.Problem? {
        switch reason {
        case .refused:
            .init(
                what: "the module doesn't listen: its firmware doesn't take the command",
                remedy: "burn a newer firmware, or take listen = true out of its row")
        case .unproven:
            .init(
                what: "the module hears nobody, and its firmware doesn't tell whether it listens",
                remedy: "bring a beacon near it; if it stays so, burn a newer firmware")
        case .notWanted, .interrupted, .stopped: nil
        }
    }
}
