import BeaconModel
import HCI
import SystemIO

/// bluetoothd's discovery, told over D-Bus.
final class DBusPath: ScanPath {
    private var receiver: DBusReceiver

    init(_ adapter: Adapter) throws(ScannerError) { receiver = try DBusReceiver(adapter: adapter) }

    var descriptors: [CInt] { [receiver.descriptor] }

    /// The bus drops nothing.
    var drops: UInt32 { 0 }

    func start() throws(ScannerError) -> ScanMode {
        try receiver.start()
        return .legacy
    }

    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch {
        try receiver.receive(limit: limit, now: WallClock.now())
    }

    /// All that happens is said by errors of `receive`.
    func notices() -> [RadioSupervisor.Input] { [] }

    func ask() throws(ScannerError) { try receiver.probe() }

    func rearm(gently: Bool) throws(ScannerError) { try receiver.probe() }

    func stop() { receiver.stop() }
}
