import BeaconModel
import HCI
import SystemIO

/// Scanning by bluetoothd's discovery, reported over D-Bus.
final class DBusPath: ScanPath {
    private var receiver: DBusReceiver

    init(_ adapter: Adapter) throws(ScannerError) { receiver = try DBusReceiver(adapter: adapter) }

    var descriptors: [CInt] { [receiver.descriptor] }

    /// Always 0: the bus drops no packets.
    var drops: UInt32 { 0 }

    func start() throws(ScannerError) -> ScanMode {
        try receiver.start()
        return .legacy
    }

    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch {
        try receiver.receive(limit: limit, now: WallClock.now())
    }

    /// Returns no events. All events are reported as errors of `receive`.
    func notices() -> [RadioSupervisor.Input] { [] }

    func ask() throws(ScannerError) { try receiver.probe() }

    func rearm(gently: Bool) throws(ScannerError) { try receiver.probe() }

    func stop() { receiver.stop() }
}
