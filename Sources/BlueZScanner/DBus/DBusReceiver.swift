import BeaconModel
import Glibc
import HCI
import SystemIO

/// Receives advertisements through bluetoothd's discovery of Low Energy devices. Needs no privileges.
///
/// Discovery enables the controller's duplicate filter, which may report each device only once per scan, and a scan
/// lasts 10 s. Where bluetoothd offers advertisement monitors (`bluetoothd --experimental`), the receiver registers
/// one, which turns the filter off. Elsewhere it restarts discovery every second.
///
/// For use by one thread. Each wait for an answer from bluetoothd lasts at most 3 s.
struct DBusReceiver: ~Copyable {
    let adapter: Adapter
    /// The monitor that makes the controller report every advertisement; `nil` if each device is reported once per
    /// scan.
    private(set) var monitor: AdvertisementMonitor?

    private let connection: BusConnection
    private let readiness: BusReadiness
    /// Unique name of bluetoothd on the bus.
    private let service: String
    private var devices = DBusDeviceTable()
    private var refresh = DiscoveryRefresh()

    /// Default address of the system bus (D-Bus Specification, "Well-known Message Bus Instances").
    private static let systemBus = "unix:path=/var/run/dbus/system_bus_socket"

    /// Connects to the system bus and looks for bluetoothd.
    init(adapter: Adapter) throws(ScannerError) {
        try self.init(
            adapter: adapter,
            address: getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? Self.systemBus)
    }

    /// - Parameters:
    ///   - address: the address of the bus.
    ///   - patience: the maximum wait for one answer.
    init(adapter: Adapter, address: String, patience: Duration = .seconds(3)) throws(ScannerError) {
        let connection: BusConnection
        let service: String
        do throws(BusError) {
            connection = try BusConnection(address: address, patience: patience, serve: AdvertisementMonitor.serve)
            for rule in Self.rules(for: adapter) { try connection.callBus("AddMatch") { $0.string(rule) } }
            service = try Self.service(on: connection)
        } catch {
            throw ScannerError(adapter, error)
        }
        readiness = try ScannerError.wrap(adapter) { () throws(SystemError) in try BusReadiness(of: connection) }
        self.adapter = adapter
        self.connection = connection
        self.service = service
    }

    /// Descriptor to poll for reading.
    var descriptor: CInt { readiness.descriptor }

    /// Unique name of this receiver on the bus.
    var busName: String { connection.name }

    /// Switches the adapter on if it is off, and starts discovery.
    mutating func start() throws(ScannerError) {
        defer { updateReadiness() }
        let objects = BlueZObjects(
            try call(path: "/", BlueZ.objectManager, "GetManagedObjects"), of: adapter)
        guard let state = objects.adapter else { throw .noSuchAdapter(adapter) }
        for (device, change) in objects.devices { _ = devices.update(device, change) }
        if state.isPowered == false { try powerOn() }
        if let monitor = objects.monitor { register(monitor) }
        try startDiscovery()
    }

    /// Returns the packets of at most `limit` received messages, without waiting.
    ///
    /// Each packet is an advertising report built from the properties of one device (`DBusAdvertisement.packet`).
    ///
    /// - Parameter now: the time assigned to the packets; bluetoothd reports none.
    mutating func receive(limit: Int, now: Timestamp) throws(ScannerError) -> HCIPacketBatch {
        defer { updateReadiness() }
        var batch = HCIPacketBatch()
        try wrap { () throws(BusError) in try connection.exchange() }
        if monitor == nil, let step = refresh.next(now: now) { try begin(step, now: now) }
        var left = limit
        while left > 0, let message = connection.next() {
            left -= 1
            if message.answeredSerial != 0 {
                guard message.sender == service else { continue }
                if let step = refresh.answered(serial: message.answeredSerial, now: now) { try begin(step, now: now) }
                continue
            }
            switch BlueZNews(message, of: adapter, from: service) {
            case .device(let device, let change):
                let known = devices.update(device, change)
                if change.told.isHeard { batch.append(known.packet(from: device), time: now, adapter: adapter) }
            case .deviceRemoved(let device): devices.remove(device)
            case .adapter(let state): if state.isPowered == false { throw .poweredOff(adapter) }
            case .adapterRemoved: throw .removed(adapter)
            case .serviceGone: throw .noBluetoothService(adapter)
            case nil: break
            }
        }
        // Sends the calls and answers produced above.
        try wrap { () throws(BusError) in try connection.exchange() }
        return batch
    }

    /// Asks bluetoothd for the state of the adapter. Starts discovery again when it has ended.
    mutating func probe() throws(ScannerError) {
        defer { updateReadiness() }
        let answer = try call(BlueZ.properties, "GetAll") { $0.string(BlueZ.adapter) }
        guard answer.sender == service else { throw .noBluetoothService(adapter) }
        var reader = answer.reader
        let state = BlueZAdapterState(properties: &reader)
        if state.isPowered == false { throw .poweredOff(adapter) }
        if state.isDiscovering != false || !refresh.isSettled { return }
        // bluetoothd refuses a new session while it still counts an old one.
        _ = try? call(BlueZ.adapter, "StopDiscovery")
        try startDiscovery()
    }

    /// Ends discovery. bluetoothd cleans up whatever remains when the connection is closed.
    mutating func stop() {
        _ = try? call(BlueZ.adapter, "StopDiscovery", timeout: .seconds(1))
        if let monitor {
            _ = try? call(BlueZ.monitorManager, "UnregisterMonitor", timeout: .seconds(1)) {
                $0.objectPath(monitor.root)
            }
            self.monitor = nil
        }
        updateReadiness()
    }

    private func powerOn() throws(ScannerError) {
        try call(BlueZ.properties, "Set") {
            $0.string(BlueZ.adapter)
            $0.string("Powered")
            $0.variant("b") { $0.boolean(true) }
        }
    }

    /// Registers a monitor. A refusal is not an error, because discovery also works without one, although it receives
    /// less.
    private mutating func register(_ monitor: AdvertisementMonitor) {
        self.monitor = nil
        do throws(ScannerError) {
            try call(BlueZ.monitorManager, "RegisterMonitor") { $0.objectPath(monitor.root) }
            self.monitor = monitor
        } catch {}
    }

    private func startDiscovery() throws(ScannerError) {
        try call(BlueZ.adapter, "SetDiscoveryFilter") {
            $0.array(of: "{sv}") { filter in
                filter.property("Transport", "s") { $0.string("le") }
                // Without this, an advertisement identical to the previous one is not reported.
                filter.property("DuplicateData", "b") { $0.boolean(true) }
            }
        }
        try call(BlueZ.adapter, "StartDiscovery")
    }

    /// Sends a discovery call without waiting for its answer.
    private mutating func begin(_ step: DiscoveryRefresh.Step, now: Timestamp) throws(ScannerError) {
        let serial = try wrap { () throws(BusError) in
            try connection.send(
                .call(
                    BlueZ.service, path: BlueZ.path(of: adapter), interface: BlueZ.adapter,
                    step == .stop ? "StopDiscovery" : "StartDiscovery"))
        }
        refresh.called(step, serial: serial, now: now)
    }

    /// Calls a method of bluetoothd.
    ///
    /// - Parameter path: the path of the object; default: the adapter.
    @discardableResult
    private func call(
        path: String? = nil, _ interface: String, _ member: String, timeout: Duration? = nil,
        _ write: (inout BusWriter) -> Void = { _ in }
    ) throws(ScannerError) -> BusMessage {
        try wrap { () throws(BusError) in
            try connection.call(
                .call(
                    BlueZ.service, path: path ?? BlueZ.path(of: adapter), interface: interface, member, write),
                timeout: timeout)
        }
    }

    private func wrap<Value>(_ body: () throws(BusError) -> Value) throws(ScannerError) -> Value {
        do throws(BusError) { return try body() } catch { throw ScannerError(adapter, error) }
    }

    private func updateReadiness() { readiness.update(hasBacklog: connection.hasWaiting) }

    /// Returns the match rules for signals. The rule for the end of bluetoothd comes first, so that it cannot go
    /// unnoticed.
    private static func rules(for adapter: Adapter) -> [String] {
        let path = BlueZ.path(of: adapter)
        let signal = "type='signal',sender='org.bluez',interface="
        return [
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
                + "member='NameOwnerChanged',arg0='org.bluez'",
            signal + "'\(BlueZ.properties)',path='\(path)',arg0='\(BlueZ.adapter)'",
            signal + "'\(BlueZ.properties)',path_namespace='\(path)',arg0='\(BlueZ.device)'",
            signal + "'\(BlueZ.objectManager)'",
        ]
    }

    private static func service(on connection: BusConnection) throws(BusError) -> String {
        var answer = try connection.callBus("GetNameOwner") { $0.string(BlueZ.service) }.reader
        return answer.string() ?? ""
    }
}
