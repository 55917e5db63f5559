import BeaconModel
import Glibc
import SystemIO
import Testing

@testable import BlueZScanner
@testable import HCI
@testable import HCITests

@Suite("DBusReceiver", .timeLimit(.minutes(10)))
struct DBusReceiverTests {
    private static let time = Timestamp(microseconds: 1_600_000_000_000_000)
    private static let other = "/org/bluez/hci0/dev_F4_11_22_33_44_03"

    /// Runs `body` with a receiver that has started, on a thread that may block.
    private func with<Value: Sendable>(
        _ state: FakeBlueZ.State = .init(), allowsCalls: Bool = true,
        _ body: @escaping @Sendable (FakeBlueZ, inout DBusReceiver, TestBus) throws -> Value
    ) async throws -> Value {
        let bus = try await TestBus(allowsCalls: allowsCalls)
        let result: Result<Value, any Error> = try await DedicatedThread.run(name: "receiver") {
            Result {
                let service = try FakeBlueZ(on: bus.address, state)
                defer { service.stop() }
                // A machine may be slow.
                var receiver = try DBusReceiver(
                    adapter: Adapter(index: 0), address: bus.address, patience: .seconds(50))
                try receiver.start()
                return try body(service, &receiver, bus)
            }
        }
        await bus.stop()
        return try result.get()
    }

    /// Receives until there are `count` packets, of which each carries one report.
    private static func hear(_ count: Int, _ receiver: inout DBusReceiver) throws -> [Heard] {
        var heard: [Heard] = []
        while heard.reduce(0, { $0 + $1.reports.count }) < count {
            _ = try waitUntilReady(receiver.descriptor, for: .readable, wakeup: nil, timeout: nil)
            let batch = try receiver.receive(limit: 256, now: time)
            if !batch.isEmpty { heard.append(Heard(batch)) }
        }
        return heard
    }

    /// Receives until that fails.
    private static func failure(_ receiver: inout DBusReceiver) throws -> ScannerError {
        while true {
            _ = try waitUntilReady(receiver.descriptor, for: .readable, wakeup: nil, timeout: nil)
            do throws(ScannerError) { _ = try receiver.receive(limit: 256, now: time) } catch { return error }
        }
    }

    @Test("Discovery is started for Low Energy with every duplicate")
    func starts() async throws {
        let state = try await with { service, _, _ in service.now }
        #expect(state.calls == ["GetManagedObjects", "SetDiscoveryFilter", "StartDiscovery"])
        #expect(state.filter == ["DuplicateData=true", "Transport=le"])
    }

    @Test("A device that is added is heard with its data, its signal strength and the time of reception")
    func added() async throws {
        let heard = try await with { service, receiver, _ in
            service.send([{ Signals.added(path: Self.other, Signals.beacon) }])
            return try Self.hear(1, &receiver)
        }
        #expect(heard.flatMap(\.data) == [[0x1A, 0xFF, 0x4C, 0x00] + Signals.beaconData])
        #expect(heard.flatMap(\.reports).map(\.rssi?.dBm) == [-47])
        #expect(heard.flatMap(\.reports).map(\.time) == [Self.time])
        #expect(heard.flatMap(\.reports).map(\.adapter) == [Adapter(index: 0)])
    }

    @Test("Of a device that was known a new signal strength is heard with the data known before")
    func changed() async throws {
        let heard = try await with { service, receiver, _ in
            service.send([{ Signals.changed { $0.property("RSSI", "n") { $0.int16(-63) } } }])
            return try Self.hear(1, &receiver)
        }
        #expect(heard.flatMap(\.data) == [[0x1A, 0xFF, 0x4C, 0x00] + Signals.beaconData])
        #expect(heard.flatMap(\.reports).map(\.rssi?.dBm) == [-63])
        #expect(heard.flatMap(\.reports).map(\.address) == [BluetoothAddress(bits: 0xC011_2233_4401)])
    }

    @Test("A change without signal strength and data isn't heard")
    func notHeard() async throws {
        let heard = try await with { service, receiver, _ in
            service.send([
                { Signals.changed { $0.property("Name", "s") { $0.string("Thrift") } } },
                { Signals.changed(withdrawn: ["RSSI"]) { _ in } },
                { Signals.changed { $0.property("RSSI", "n") { $0.int16(-63) } } },
            ])
            return try Self.hear(1, &receiver)
        }
        #expect(heard.flatMap(\.reports).map(\.rssi?.dBm) == [-63])
    }

    @Test("A device that was removed is forgotten")
    func removed() async throws {
        let heard = try await with { service, receiver, _ in
            service.send([
                { Signals.removed(Signals.devicePath, BlueZ.device) },
                { Signals.changed { $0.property("RSSI", "n") { $0.int16(-63) } } },
            ])
            return try Self.hear(1, &receiver)
        }
        #expect(heard.flatMap(\.data) == [[]])
    }

    @Test("What another program sends in the name of bluetoothd isn't heard")
    func forged() async throws {
        let heard = try await with { service, receiver, bus in
            let forger = try BusConnection(address: bus.address)
            try forger.send(
                Signals.changed(to: receiver.busName) { $0.property("RSSI", "n") { $0.int16(-1) } })
            // When this is answered the bus has passed the forgery on.
            try forger.callBus("GetId")
            service.send([{ Signals.changed { $0.property("RSSI", "n") { $0.int16(-63) } } }])
            return try Self.hear(1, &receiver)
        }
        #expect(heard.flatMap(\.reports).map(\.rssi?.dBm) == [-63])
    }

    @Test("No more messages than asked for are taken, and the descriptor stays readable while others wait")
    func limit() async throws {
        let counts = try await with { service, receiver, _ in
            service.send((0..<10).map { _ in { Signals.changed { $0.property("RSSI", "n") { $0.int16(-63) } } } })
            var counts: [Int] = []
            while counts.reduce(0, +) < 10 {
                _ = try waitUntilReady(receiver.descriptor, for: .readable, wakeup: nil, timeout: nil)
                counts.append(try receiver.receive(limit: 3, now: Self.time).count)
            }
            let (readiness, _) = try waitUntilReady(
                receiver.descriptor, for: .readable, wakeup: nil, timeout: .zero)
            #expect(readiness.isEmpty)
            return counts
        }
        #expect(counts.allSatisfy { $0 <= 3 })
        #expect(counts.reduce(0, +) == 10)
    }

    @Test("What came while an answer was awaited is received afterwards")
    func duringCall() async throws {
        let heard = try await with { service, receiver, _ in
            service.send([{ Signals.changed { $0.property("RSSI", "n") { $0.int16(-63) } } }])
            try receiver.probe()
            return try Self.hear(1, &receiver)
        }
        #expect(heard.flatMap(\.reports).count == 1)
    }

    @Test("Without a monitor discovery is started anew each second")
    func refreshed() async throws {
        let calls = try await with { service, receiver, _ in
            _ = try receiver.receive(limit: 10, now: Self.time)
            _ = try receiver.receive(limit: 10, now: Self.time + .seconds(1))
            while !service.now.calls.suffix(2).elementsEqual(["StopDiscovery", "StartDiscovery"]) {
                _ = try waitUntilReady(receiver.descriptor, for: .readable, wakeup: nil, timeout: nil)
                _ = try receiver.receive(limit: 10, now: Self.time + .seconds(1))
            }
            return service.now.calls
        }
        #expect(calls.suffix(3) == ["StartDiscovery", "StopDiscovery", "StartDiscovery"])
    }

    @Test("Where monitors are offered one is registered that matches nothing, and discovery goes on undisturbed")
    func monitor() async throws {
        var state = FakeBlueZ.State()
        state.monitorFeatures = []
        let (monitor, after) = try await with(state) { service, receiver, _ in
            _ = try receiver.receive(limit: 10, now: Self.time)
            _ = try receiver.receive(limit: 10, now: Self.time + .seconds(60))
            try receiver.probe()
            return (receiver.monitor, service.now)
        }
        #expect(monitor == .matchedByHost)
        #expect(after.patterns == AdvertisementMonitor.matchedByHost.patterns)
        #expect(after.patterns.count == 1)
        #expect(!after.calls.contains("StopDiscovery"))
    }

    @Test("A controller that matches by itself is asked for iBeacons and Exposure Notifications")
    func offloadedMonitor() async throws {
        var state = FakeBlueZ.State()
        state.monitorFeatures = ["controller-patterns"]
        let after = try await with(state) { service, _, _ in service.now }
        #expect(after.patterns.map(\.bytes) == [[0x4C, 0x00, 0x02, 0x15], [0x6F, 0xFD]])
    }

    @Test("A monitor that is refused is done without")
    func refusedMonitor() async throws {
        var state = FakeBlueZ.State()
        state.monitorFeatures = []
        state.refusals = ["RegisterMonitor": "org.bluez.Error.Failed"]
        let (monitor, after) = try await with(state) { service, receiver, _ in (receiver.monitor, service.now) }
        #expect(monitor == nil)
        #expect(after.isDiscovering)
    }

    @Test("An adapter that is off is switched on")
    func poweredOn() async throws {
        var state = FakeBlueZ.State()
        state.isPowered = false
        let after = try await with(state) { service, _, _ in service.now }
        #expect(after.isPowered)
        #expect(after.isDiscovering)
    }

    @Test("A probe starts discovery again when it has ended, and otherwise leaves it alone")
    func probe() async throws {
        let (before, after) = try await with { service, receiver, _ in
            try receiver.probe()
            let before = service.now
            service.change { $0.isDiscovering = false }
            try receiver.probe()
            return (before, service.now)
        }
        #expect(before.calls.last == "GetAll")
        #expect(after.isDiscovering)
    }

    @Test("A probe finds that the adapter is off")
    func probeOff() async throws {
        let error = try await with { service, receiver, _ in
            service.change { $0.isPowered = false }
            do throws(ScannerError) { try receiver.probe() } catch { return Optional(error) }
            return nil
        }
        #expect(error?.what == "hci0 is switched off")
    }

    @Test("An adapter that is switched off ends reception")
    func poweredOff() async throws {
        let error = try await with { service, receiver, _ in
            service.send([{ Signals.adapterChanged { $0.property("Powered", "b") { $0.boolean(false) } } }])
            return try Self.failure(&receiver)
        }
        #expect(error.what == "hci0 is switched off")
    }

    @Test("An adapter that is removed ends reception")
    func adapterRemoved() async throws {
        let error = try await with { service, receiver, _ in
            service.send([{ Signals.removed("/org/bluez/hci0", BlueZ.adapter) }])
            return try Self.failure(&receiver)
        }
        #expect(error.what == "hci0 was removed")
    }

    @Test("The end of bluetoothd ends reception")
    func serviceGone() async throws {
        let error = try await with { service, receiver, _ in
            service.stop()
            return try Self.failure(&receiver)
        }
        #expect(error.what == "hci0: bluetoothd is not running")
    }

    @Test("Stopping ends discovery and gives the monitor back")
    func stop() async throws {
        var state = FakeBlueZ.State()
        state.monitorFeatures = []
        let after = try await with(state) { service, receiver, _ in
            receiver.stop()
            return service.now
        }
        #expect(after.calls.suffix(2) == ["StopDiscovery", "UnregisterMonitor"])
    }

    @Test(
        "bluetoothd's refusals are told apart",
        arguments: [
            ("org.bluez.Error.InProgress", "hci0: bluetoothd refused StartDiscovery with org.bluez.Error.InProgress"),
            ("org.bluez.Error.NotReady", "hci0 is switched off"),
            ("org.bluez.Error.Blocked", "hci0 is blocked by rfkill"),
            ("org.freedesktop.DBus.Error.UnknownObject", "there is no Bluetooth adapter hci0"),
        ])
    func refusals(error: String, what: String) async throws {
        var state = FakeBlueZ.State()
        state.refusals = ["StartDiscovery": error]
        #expect(try await startError(state) == what)
    }

    @Test("An adapter that bluetoothd doesn't have is told of")
    func noAdapter() async throws {
        var state = FakeBlueZ.State()
        state.hasAdapter = false
        #expect(try await startError(state) == "there is no Bluetooth adapter hci0")
    }

    @Test("A user whom the bus keeps from bluetoothd is told so")
    func notPermitted() async throws {
        #expect(
            try await startError(.init(), allowsCalls: false)
                == "this process does not have permission to use hci0 through bluetoothd")
    }

    /// The error of starting; `nil` when there was none.
    private func startError(_ state: FakeBlueZ.State, allowsCalls: Bool = true) async throws -> String? {
        do {
            try await with(state, allowsCalls: allowsCalls) { _, _, _ in }
            return nil
        } catch let error as ScannerError {
            return error.what
        }
    }

    /// The error of opening a receiver without a service.
    private func openingError(_ address: String, patience: Duration = .seconds(50)) async throws -> String? {
        try await DedicatedThread.run(name: "receiver") {
            do throws(ScannerError) {
                _ = try DBusReceiver(adapter: Adapter(index: 0), address: address, patience: patience)
                return nil
            } catch { return error.what }
        }
    }

    @Test("A bus without bluetoothd is told of")
    func noService() async throws {
        let bus = try await TestBus()
        let error = try await openingError(bus.address)
        await bus.stop()
        #expect(error == "hci0: bluetoothd is not running")
    }

    @Test("A bus that accepts a connection and says nothing isn't waited for for ever")
    func hungBus() async throws {
        let bus = try await TestBus()
        bus.pause()
        let error = try await openingError(bus.address, patience: .milliseconds(100))
        await bus.stop()
        #expect(error == "hci0: bluetoothd does not answer Hello")
    }

    @Test("A bus that goes away ends reception")
    func busGone() async throws {
        let error = try await with { _, receiver, bus in
            bus.kill()
            return try Self.failure(&receiver)
        }
        #expect(error.what == "hci0: there is no D-Bus system bus (it closed the connection)")
    }

    @Test("A machine without a bus is told of")
    func noBus() async throws {
        let error = try await openingError("unix:path=/nonexistent/bus")
        #expect(error?.hasPrefix("hci0: there is no D-Bus system bus") == true)
    }
}
