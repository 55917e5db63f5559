import BeaconModel
import SystemIO

@testable import BlueZScanner
@testable import HCITests

/// What bluetoothd shows of one adapter on a bus, on a thread of its own.
final class FakeBlueZ: Sendable {
    /// How bluetoothd is, and what became of it.
    struct State: Sendable {
        var hasAdapter = true
        var isPowered = true
        var isDiscovering = false
        /// The `SupportedFeatures` of the advertisement monitor manager; `nil` for none.
        var monitorFeatures: [String]?
        /// Members that are refused, and by which error.
        var refusals: [String: String] = [:]
        /// The members that were called, in their order.
        var calls: [String] = []
        /// What the discovery filter asked for, sorted.
        var filter: [String] = []
        /// The patterns of the monitor that was registered.
        var patterns: [AdvertisementMonitor.Pattern] = []
        fileprivate var signals: [@Sendable () -> BusMessage?] = []
        fileprivate var isOver = false
        fileprivate var isReady: Bool?
        fileprivate var sent = 0
    }

    private let state: LockedValue<State>
    private let wakeup: WakeupPipe

    /// Returns when it has the name `org.bluez`.
    init(on address: String, _ state: State = State()) throws {
        self.state = LockedValue(state)
        wakeup = try WakeupPipe()
        try DedicatedThread.start(name: "bluez") { [self] in
            // It ends with the bus.
            try? run(address)
            self.state.withLock { state in
                state.isReady = state.isReady ?? false
                state.isOver = true
            }
        }
        self.state.wait { $0.isReady != nil }
    }

    var now: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Sends signals; returns when they were sent.
    func send(_ signals: [@Sendable () -> BusMessage?]) {
        let goal = state.withLock { state in
            state.signals += signals
            return state.sent + state.signals.count
        }
        wakeup.wake()
        state.wait { $0.sent >= goal || $0.isOver }
    }

    /// Leaves the bus.
    func stop() {
        state.withLock { $0.isOver = true }
        wakeup.wake()
    }

    private func run(_ address: String) throws {
        let bus = try BusConnection(address: address, patience: .seconds(50))
        try bus.callBus("RequestName") { request in
            request.string("org.bluez")
            request.uint32(0)
        }
        state.withLock { $0.isReady = true }
        while !state.withLock({ $0.isOver }) {
            if !bus.hasWaiting {
                _ = try waitUntilReady(bus.descriptor, for: .readable, wakeup: wakeup, timeout: nil)
            }
            wakeup.drain()
            try bus.exchange()
            while let message = bus.next() {
                if message.isCall { try answer(message, on: bus) }
            }
            let signals = state.withLock { state in
                defer { state.signals = [] }
                return state.signals
            }
            for signal in signals { try bus.send(signal()) }
            try bus.exchange()
            state.withLock { $0.sent += signals.count }
        }
    }

    private func answer(_ call: BusMessage, on bus: BusConnection) throws(BusError) {
        let member = call.member ?? ""
        let state = state.withLock { state in
            state.calls.append(member)
            return state
        }
        if let error = state.refusals[member] {
            try bus.send(call.refusal(error))
            return
        }
        var reader = call.reader
        switch member {
        case "GetManagedObjects": try bus.send(call.answer { Self.describe(state, &$0) })
        case "GetAll": try bus.send(call.answer { $0.array(of: "{sv}") { Self.adapter(state, &$0) } })
        case "SetDiscoveryFilter":
            var filter: [String] = []
            reader.forEachEntry { entry in
                guard let name = entry.string(), var value = entry.variant() else { return }
                filter.append("\(name)=\(value.string() ?? value.boolean().map { "\($0)" } ?? "?")")
            }
            change { $0.filter = filter.sorted() }
            try bus.send(call.answer())
        case "RegisterMonitor":
            // As bluetoothd does, it asks for the monitors before it answers.
            let root = reader.objectPath() ?? ""
            let monitors = try bus.call(
                .call(call.sender ?? "", path: root, interface: BlueZ.objectManager, "GetManagedObjects"))
            change { $0.patterns = Self.patterns(monitors) }
            try bus.send(call.answer())
        default:
            change { state in
                switch member {
                case "Set": state.isPowered = true
                case "StartDiscovery": state.isDiscovering = true
                case "StopDiscovery": state.isDiscovering = false
                default: break
                }
            }
            try bus.send(call.answer())
        }
    }

    private static func adapter(_ state: State, _ properties: inout BusWriter) {
        properties.property("Powered", "b") { $0.boolean(state.isPowered) }
        properties.property("Discovering", "b") { $0.boolean(state.isDiscovering) }
    }

    private static func describe(_ state: State, _ answer: inout BusWriter) {
        answer.array(of: "{oa{sa{sv}}}") { objects in
            guard state.hasAdapter else { return }
            objects.entry { object in
                object.objectPath("/org/bluez/hci0")
                object.array(of: "{sa{sv}}") { interfaces in
                    interfaces.entry { entry in
                        entry.string(BlueZ.adapter)
                        entry.array(of: "{sv}") { adapter(state, &$0) }
                    }
                    guard let features = state.monitorFeatures else { return }
                    interfaces.entry { entry in
                        entry.string(BlueZ.monitorManager)
                        entry.array(of: "{sv}") { properties in
                            properties.property("SupportedFeatures", "as") { value in
                                value.array(of: "s") { names in
                                    for feature in features { names.string(feature) }
                                }
                            }
                        }
                    }
                }
            }
            // A device that it knew before.
            objects.entry { object in
                object.objectPath(Signals.devicePath)
                object.array(of: "{sa{sv}}") { interfaces in
                    interfaces.entry { entry in
                        entry.string(BlueZ.device)
                        entry.array(of: "{sv}", Signals.beacon)
                    }
                }
            }
        }
    }

    private static func patterns(_ monitors: BusMessage) -> [AdvertisementMonitor.Pattern] {
        var patterns: [AdvertisementMonitor.Pattern] = []
        var reader = monitors.reader
        reader.forEachEntry { object in
            _ = object.objectPath()
            object.forEachEntry { interface in
                guard interface.string() == "org.bluez.AdvertisementMonitor1" else { return }
                interface.forEachEntry { property in
                    guard property.string() == "Patterns", var value = property.variant() else { return }
                    value.forEachElement(limit: 16) { element in
                        guard var fields = element.structure(), let position = fields.byte(), let type = fields.byte(),
                            let bytes = fields.bytes(limit: 31)
                        else { return false }
                        patterns.append(.init(position: position, type: type, bytes: bytes))
                        return true
                    }
                }
            }
        }
        return patterns
    }
}
