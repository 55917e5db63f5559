import BeaconModel

/// The states that a fleet has published, and the limit to their rate.
struct FleetStatus: Sendable {
    private let rules: Fleet.Rules
    private var published: [String: ModuleStatus] = [:]
    private var publishedOthers: [Fleet.OtherPort] = []
    /// Earliest time at which a status change caused by radio data may be published again, by module.
    private var tellAt: [String: Duration] = [:]
    /// The modules whose changes may still be unpublished.
    private var untold: Set<String> = []

    init(rules: Fleet.Rules) { self.rules = rules }

    /// Time at which an unpublished change may be published.
    var nextDeadline: Duration? { untold.compactMap { tellAt[$0] }.min() }

    /// Forgets the modules that the inventory no longer has.
    ///
    /// - Returns: their names.
    mutating func forget(except names: Set<String>) -> [String] {
        let gone = published.keys.filter { !names.contains($0) }.sorted()
        for name in gone {
            published[name] = nil
            tellAt[name] = nil
            untold.remove(name)
        }
        return gone
    }

    /// Publishes changed states.
    ///
    /// - Parameter isHearsay: whether the change was caused by received radio data, which anyone can send. Such changes
    ///   are published at once up to `hearsayRunning` times in a row, and then at an interval.
    mutating func publish(
        _ entries: [InventoryEntry], _ now: Duration, isHearsay: Bool, status: (InventoryEntry) -> ModuleStatus
    ) -> [Fleet.Action] {
        var actions: [Fleet.Action] = []
        for entry in entries {
            let tellAt = tellAt[entry.name] ?? .zero
            if isHearsay || untold.contains(entry.name), tellAt > now {
                untold.insert(entry.name)
                continue
            }
            let status = status(entry)
            let isDue = untold.remove(entry.name) != nil
            guard published[entry.name] != status else { continue }
            published[entry.name] = status
            actions.append(.status(status))
            if isHearsay || isDue {
                let running = rules.hearsayInterval * (rules.hearsayRunning - 1)
                self.tellAt[entry.name] = max(tellAt, now - running) + rules.hearsayInterval
            }
        }
        return actions
    }

    mutating func publish(_ others: [Fleet.OtherPort]) -> [Fleet.Action] {
        guard others != publishedOthers else { return [] }
        publishedOthers = others
        return [.others(others)]
    }
}

extension ModuleStatus {
    /// Creates the status of a row of the inventory.
    ///
    /// - Parameter port: the port that belongs to the row.
    init(_ entry: InventoryEntry, on port: PortSupervisor?, _ receptions: FleetReceptions) {
        self.init(entry: entry, condition: .absent)
        listening = entry.listens ? .init(.starting) : nil
        guard let port else { return }
        self.port = port.description.name
        address = port.identity?.address
        firmware = port.identity?.firmware
        problem = port.failure.map { .failed($0) }
        if entry.listens, let listening = port.listening { self.listening = listening }
        guard let module = port.provisioned else {
            condition = Self.condition(port)
            return
        }
        applied = module.configuration
        advertisingType = module.advertisingType
        duplicates = receptions.duplicates(of: module)
        heard = receptions.right(of: module)
        if heard != nil {
            condition = .advertising
        } else {
            condition = receptions.isListening && port.unheard > 1 ? .notHeard : .unverified
        }
        if condition == .notHeard {
            problem = .notHeard
        } else if !duplicates.isEmpty {
            problem = .duplicated(count: duplicates.count)
        } else if let listening, listening.condition == .deaf, let reason = listening.reason {
            problem = Problem(deafBecause: reason)
        }
    }

    /// The condition of a module that does not do what it should.
    private static func condition(_ port: PortSupervisor) -> Condition {
        if port.failure?.isPortMissing == true { return .absent }
        if case .waiting = port.phase { return .failed }
        return .provisioning
    }
}

extension Fleet.OtherPort {
    /// Creates the report of a port that belongs to no row of the inventory.
    ///
    /// - Parameter lostRow: the row that the module is bound to and that the inventory no longer has.
    /// - Returns: `nil` when there is nothing to report.
    init?(_ port: PortSupervisor, lostRow: String?) {
        self.port = port.description.name
        address = port.identity?.address
        if port.isUnassigned {
            problem = lostRow.map { .rowIsGone($0) } ?? .notInInventory
        } else {
            guard let failure = port.failure else { return nil }
            problem = .failed(failure)
        }
    }
}
