import BeaconModel

/// Commands, and changes of the inventory.
extension Fleet {
    mutating func take(_ command: Command) -> [Action] {
        func reply(_ outcome: Outcome) -> Action { .reply(Reply(command: command, outcome: outcome)) }
        guard let entry = assignment.entry(named: command.module) else {
            return [reply(.unknownModule(command.module, known: assignment.inventory.entries.map(\.name)))]
        }
        let rows = FleetRows(ports)
        guard let device = rows.device(of: command.module), let port = ports[device] else {
            return [reply(.notPluggedIn)]
        }
        guard pending.count < rules.mostPendingCommands else { return [reply(.tooManyWaiting(pending.count))] }
        var actions: [Action] = [.happened(event(.commanded(command.name), command.module, port))]
        switch (command.name, port.phase) {
        case (.identify, .working): return actions + [.post(device: device, .identify), reply(.identifies)]
        case (.identify, _): return [reply(.doesNotAnswer)]
        case (.provision, .working):
            let isHeard = status(of: entry, rows).condition != .notHeard
            return actions + [reply(.advertisesAlready(isHeard: isHeard))]
        case (.reset, .working):
            receptions.forget(port.identity?.address)
            actions.append(.post(device: device, .provisionAgain))
        case (_, .waiting): actions += open(device)
        case (_, .busy), (_, .unassigned): break
        }
        pending.add(command)
        return actions
    }

    mutating func replace(_ inventory: Inventory, _ now: Duration) -> [Action] {
        let before = assignment
        assignment.replace(inventory)
        var actions: [Action] = []
        if assignment.bindings != before.bindings { actions.append(.bindingsChanged(assignment.bindings)) }
        for name in status.forget(except: Set(inventory.entries.map(\.name))) {
            actions += pending.answer(name, .removedFromInventory)
        }
        receptions.keep(Set(inventory.entries.map(\.configuration.beacon)))
        // Entries are assigned again for each module; most keep what they had.
        for (device, port) in ports.sorted(by: { $0.key < $1.key }) {
            assignment.release(port.description)
            guard let identity = port.identity, let module = port.provisioned else {
                actions += forget(device)
                actions += appeared(port.description, now)
                continue
            }
            actions += reassign(device, port, identity, module)
        }
        return actions
    }

    private mutating func reassign(
        _ device: String, _ port: PortSupervisor, _ identity: ModuleIdentity, _ module: ProvisionedModule
    ) -> [Action] {
        ports[device]?.expected = assignment.entry(for: port.description)?.name
        guard let entry = assignment.assign(identity.address, kind: port.kind, on: port.description),
            assignment.isOfInterest(port.description)
        else {
            ports[device]?.reassign(nil)
            return [.post(device: device, .assigned(nil))]
        }
        ports[device]?.reassign(entry.name)
        let listening = listen(device, entry.listens)
        guard entry.configuration != module.configuration else { return listening }
        ports[device]?.lost()
        return listening + [.post(device: device, .assigned(entry.configuration))]
    }
}
