import Advertisement
import BeaconModel
import ModuleEmulator

@testable import ModuleDialogues

/// A gateway with many modules in simulated time: real dialogues, real supervision, emulated modules, and a receiver
/// that hears what they have on the air.
struct SimulatedBuilding {
    private enum Event {
        case moduleTimer(Int, ModuleTimer)
        case bytesToHost(Int, [UInt8], life: Int)
        case dialogueDeadline(device: String, link: Int)
        case fleetDeadline
        case receiverHears(Int, OnAir)
        case receiverMisses(Int, OnAir)
        case fault(Fault)
    }

    enum Fault {
        /// A module loses its power for a moment.
        case reset(Int)
        case unplug(Int)
        /// Always on another port.
        case plug(Int)
        /// A central connects to it.
        case connect(Int)
        /// The radio stops although the module says nothing; only a reset helps.
        case jam(Int)
    }

    private struct Module {
        var emulator: any EmulatedFirmware
        var device: String?
        var entry: InventoryEntry
        /// Counts the times that it was plugged in.
        var life = 0
        var air: OnAir
        /// When its air became what it is now.
        var airSince: Duration = .zero
        var pluggedSince: Duration?
        var plugged: Duration = .zero
        var right: Duration = .zero
        var longestGap: Duration = .zero
        var gapSince: Duration?
        /// The number of resets at which its radio stopped.
        var jammedSince: Int?

        var currentAir: OnAir {
            jammedSince == emulator.resetCount ? .silent(address: emulator.air.address) : emulator.air
        }
    }

    private struct Link {
        var dialogue: TimedModuleDialogue
        var number: Int
        var baudRate = 115_200
        /// When it is told the time next.
        var alarm: Duration?
    }

    var isSearching: Bool { fleet.isSearching }
    private(set) var now: Duration = .zero
    private var queue = EventQueue<Event>()
    private var modules: [Module] = []
    private var links: [String: Link] = [:]
    private var moduleOn: [String: Int] = [:]
    private var linkCount = 0
    private var portCount = 0
    private var fleet: Fleet
    private let hasReceiver: Bool
    /// The receiver hears others, but none of the modules.
    private var hearsNoModule = false
    private let pace: ModuleKind.Pace
    private var fleetDeadline: Duration?
    private(set) var events: [Fleet.Event] = []
    private(set) var replies: [Fleet.Reply] = []
    private(set) var statuses: [String: ModuleStatus] = [:]
    private(set) var otherPorts: [Fleet.OtherPort] = []
    private(set) var bindings: [BluetoothAddress: String] = [:]

    /// - Parameter emulators: one for each row of the inventory, with its address.
    init(
        _ inventory: Inventory, emulators: [any EmulatedFirmware], hasReceiver: Bool, pace: ModuleKind.Pace = .init()
    ) {
        fleet = Fleet(inventory: inventory)
        self.hasReceiver = hasReceiver
        self.pace = pace
        for (entry, emulator) in zip(inventory.entries, emulators) {
            modules.append(Module(emulator: emulator, entry: entry, air: emulator.air))
        }
        perform(fleet.start())
        if hasReceiver { perform(fleet.handle(.air(.listening), now: now)) }
        for index in modules.indices { happen(.plug(index)) }
    }

    mutating func deafen() { hearsNoModule = true }

    mutating func schedule(_ fault: Fault, at time: Duration) { queue.add(.fault(fault), at: time) }

    mutating func command(_ command: Fleet.Command) { perform(fleet.handle(.command(command), now: now)) }

    mutating func replace(_ inventory: Inventory) {
        perform(fleet.handle(.inventory(inventory), now: now))
        for (index, entry) in zip(modules.indices, inventory.entries) { modules[index].entry = entry }
    }

    mutating func run(until end: Duration) {
        while let next = queue.nextTime, next <= end, let (time, event) = queue.removeFirst() {
            now = time
            handle(event)
        }
        now = end
    }

    // MARK: What came of it

    func air(of index: Int) -> OnAir { modules[index].air }

    func isRight(_ index: Int) -> Bool { Self.isRight(modules[index].air, modules[index].entry) }

    /// Of the time in which the module was plugged in, the share in which it advertised what it should, and the
    /// longest time in which it didn't.
    func record(of index: Int) -> (plugged: Duration, right: Duration, longestGap: Duration) {
        var module = modules[index]
        account(&module)
        return (module.plugged, module.right, module.longestGap)
    }

    // MARK: Events

    private mutating func handle(_ event: Event) {
        switch event {
        case .moduleTimer(let index, let timer):
            let outputs = modules[index].emulator.fire(timer)
            carryOut(outputs, index)
        case .bytesToHost(let index, let bytes, let life):
            guard modules[index].life == life, let device = modules[index].device else { return }
            tell(device) { $0.handle(.bytes(bytes), now: $1) }
        case .dialogueDeadline(let device, let number):
            guard links[device]?.number == number, links[device]?.alarm == now else { return }
            links[device]?.alarm = nil
            tell(device) { $0.advance(to: $1) }
        case .fleetDeadline:
            guard fleetDeadline == now else { return }
            fleetDeadline = nil
            perform(fleet.advance(to: now))
        case .receiverHears(let index, let air):
            guard modules[index].air == air, let iBeacon = Self.beacon(air) else { return }
            perform(
                fleet.handle(
                    .air(
                        .audible(
                            .init(
                                beacon: iBeacon.beacon, address: air.address, measuredPower: iBeacon.power,
                                rssi: RSSI(dBm: -50), count: 1))), now: now))
        case .receiverMisses(let index, let before):
            guard modules[index].air != before, let iBeacon = Self.beacon(before) else { return }
            if Self.beacon(modules[index].air)?.beacon == iBeacon.beacon { return }
            perform(fleet.handle(.air(.silent(iBeacon.beacon, address: before.address)), now: now))
        case .fault(let fault): happen(fault)
        }
    }

    private mutating func happen(_ fault: Fault) {
        switch fault {
        case .reset(let index):
            modules[index].emulator.reset()
            airMayHaveChanged(index)
        case .unplug(let index):
            guard let device = modules[index].device else { return }
            modules[index].emulator.reset()
            airMayHaveChanged(index)
            account(&modules[index])
            modules[index].pluggedSince = nil
            modules[index].gapSince = nil
            modules[index].device = nil
            moduleOn[device] = nil
            perform(fleet.handle(.portVanished(device: device), now: now))
        case .connect(let index): carryOut(modules[index].emulator.centralConnects(), index)
        case .jam(let index):
            modules[index].jammedSince = modules[index].emulator.resetCount
            airMayHaveChanged(index)
        case .plug(let index):
            guard modules[index].device == nil else { return }
            portCount += 1
            let device = "/dev/ttyUSB\(portCount)"
            modules[index].life += 1
            modules[index].device = device
            modules[index].pluggedSince = now
            modules[index].gapSince = now
            moduleOn[device] = index
            let usb = USBIdentity(vendor: 0x0403, product: 0x6001, serial: "M\(index)", text: nil)
            perform(
                fleet.handle(
                    .portAppeared(SerialPortDescription(device: device, names: [], usb: usb)), now: now))
        }
    }

    private mutating func perform(_ actions: [Fleet.Action]) {
        for action in actions {
            switch action {
            case .open(let port, let kind, let expected):
                linkCount += 1
                links[port.device] = Link(
                    dialogue: TimedModuleDialogue(kind.dialogue(expected: expected, pace: pace)), number: linkCount)
                tell(port.device) { $0.handle(.opened, now: $1) }
            case .post(let device, let request): tell(device) { $0.handle(.request(request), now: $1) }
            case .close(let device): links[device] = nil
            case .status(let status): statuses[status.entry.name] = status
            case .happened(let event): events.append(event)
            case .reply(let reply): replies.append(reply)
            case .others(let others): otherPorts = others
            case .bindingsChanged(let bindings): self.bindings = bindings
            }
        }
        if let deadline = fleet.nextDeadline.map({ max($0, now) }), deadline != fleetDeadline {
            fleetDeadline = deadline
            queue.add(.fleetDeadline, at: deadline)
        }
    }

    private mutating func tell(_ device: String, _ body: (inout TimedModuleDialogue, Duration) -> [ModuleStep]) {
        guard var link = links[device] else { return }
        let steps = body(&link.dialogue, now)
        links[device] = link
        for step in steps {
            switch step {
            case .line(.send(let bytes)):
                guard let index = moduleOn[device] else { break }
                let outputs = modules[index].emulator.receive(bytes, baud: links[device]?.baudRate ?? 115_200)
                carryOut(outputs, index)
            case .output(.changed(let change)):
                guard case .failed(let error) = change else {
                    perform(fleet.handle(.said(device: device, change), now: now))
                    break
                }
                links[device] = nil
                perform(fleet.handle(.said(device: device, change), now: now))
                perform(fleet.handle(.linkEnded(device: device, PortFailure(error)), now: now))
            case .output(.finished):
                links[device] = nil
                perform(fleet.handle(.linkEnded(device: device, nil), now: now))
            case .line(.setBaudRate(let rate)): links[device]?.baudRate = rate
            case .line(.pulseControlLines), .line(.wait), .output(.report), .output(.received): break
            }
        }
        guard let current = links[device], current.number == link.number,
            let deadline = current.dialogue.nextDeadline.map({ max($0, now) }), current.alarm != deadline
        else { return }
        links[device]?.alarm = deadline
        queue.add(.dialogueDeadline(device: device, link: link.number), at: deadline)
    }

    private mutating func carryOut(_ outputs: [ModuleOutput], _ index: Int) {
        for output in outputs {
            switch output {
            case .send(let bytes):
                // 115200 baud: 87 microseconds a byte.
                queue.add(
                    .bytesToHost(index, bytes, life: modules[index].life),
                    at: now + .microseconds(bytes.count * 87 + 1000))
            case .schedule(let timer, let delay): queue.add(.moduleTimer(index, timer), at: now + delay)
            }
        }
        airMayHaveChanged(index)
    }

    private mutating func airMayHaveChanged(_ index: Int) {
        let air = modules[index].currentAir
        let before = modules[index].air
        guard air != before else { return }
        account(&modules[index])
        modules[index].air = air
        modules[index].airSince = now
        let isRight = Self.isRight(air, modules[index].entry)
        modules[index].gapSince = isRight ? nil : modules[index].gapSince ?? now
        guard hasReceiver, !hearsNoModule else { return }
        if air.advertising { queue.add(.receiverHears(index, air), at: now + .milliseconds(200)) }
        if before.advertising { queue.add(.receiverMisses(index, before), at: now + .seconds(10)) }
    }

    /// Adds the time since its air last changed to the module's record.
    private func account(_ module: inout Module) {
        guard let pluggedSince = module.pluggedSince else { return }
        let span = now - max(pluggedSince, module.airSince)
        module.airSince = now
        module.plugged += span
        if Self.isRight(module.air, module.entry) { module.right += span }
        if let gapSince = module.gapSince { module.longestGap = max(module.longestGap, now - gapSince) }
    }

    private static func isRight(_ air: OnAir, _ entry: InventoryEntry) -> Bool {
        let configuration = entry.configuration
        return air.advertising && air.intervalUnits == configuration.interval.units
            && air.data == IBeacon.advertisingData(configuration.beacon, measuredPower: configuration.measuredPower)
    }

    private static func beacon(_ air: OnAir) -> (beacon: BeaconID, power: Int8)? {
        guard case .iBeacon(let beacon, let power)? = AdvertisingData.decode(air.data.span).identity else { return nil }
        return (beacon, power)
    }
}

/// Events in the order of their times; those of one time in the order in which they were added.
struct EventQueue<Event> {
    private var heap: [(time: Duration, number: Int, event: Event)] = []
    private var count = 0

    var nextTime: Duration? { heap.first?.time }

    mutating func add(_ event: Event, at time: Duration) {
        heap.append((time, count, event))
        count += 1
        var index = heap.count - 1
        while index > 0, isBefore(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> (Duration, Event)? {
        guard let first = heap.first else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isBefore(child, smallest) {
                smallest = child
            }
            if smallest == index { break }
            heap.swapAt(index, smallest)
            index = smallest
        }
        return (first.time, first.event)
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].number) < (heap[right].time, heap[right].number)
    }
}
