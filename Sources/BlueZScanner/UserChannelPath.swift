import BeaconModel
import Glibc
import HCI
import SystemIO

/// Scanning with exclusive access to the adapter: no other program can end the scan, and the kernel does not use the
/// adapter.
///
/// The adapter is switched off first, because the kernel grants exclusive access only to an adapter that is off.
/// bluetoothd loses the adapter.
final class UserChannelPath: ScanPath {
    private let adapter: Adapter
    private let socket: HCISocket
    private var scan: ScanCommands
    /// Events that arrived while an answer was awaited.
    private var pending = HCIPacketBatch()
    /// Code of a hardware failure reported by the controller. On this path the kernel does not handle it.
    private var hardwareError: UInt8?

    init(_ adapter: Adapter) throws(ScannerError) {
        self.adapter = adapter
        scan = ScanCommands(adapter)
        try Adapters.takeDown(adapter)
        socket = try HCISocket(.user, adapter)
        socket.prepareForFlood()
    }

    var descriptors: [CInt] { [socket.descriptor] }

    var drops: UInt32 { socket.drops }

    func start() throws(ScannerError) -> ScanMode {
        // Initialization that the kernel performs for the other paths.
        for command in [HCICommand.reset, .setEventMask, .setLEEventMask] {
            let status = try exchange(command).first ?? HCIStatus.unspecifiedError
            guard status == 0 else { throw .refused(adapter, command: command.name, status: status) }
        }
        return try scan.start { command throws(ScannerError) in try exchange(command) }
    }

    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch {
        var batch = pending
        pending = HCIPacketBatch()
        try socket.receive(into: &batch, limit: limit)
        batch.forEachPacket { packet, _, _ in
            if packet.count >= 4, packet[0] == 0x04, packet[1] == 0x10 { hardwareError = packet[3] }
        }
        return batch
    }

    func notices() -> [RadioSupervisor.Input] {
        defer { hardwareError = nil }
        return hardwareError.map { [.hardwareError(code: $0)] } ?? []
    }

    func ask() throws(ScannerError) {
        try scan.confirm { command throws(ScannerError) in try exchange(command) }
    }

    func rearm(gently: Bool) throws(ScannerError) {
        _ = try scan.start { command throws(ScannerError) in try exchange(command) }
    }

    func stop() throws(ScannerError) {
        try scan.stop { command throws(ScannerError) in try exchange(command) }
    }

    private func exchange(_ command: HCICommand) throws(ScannerError) -> [UInt8] {
        try socket.exchange(command) { event in
            if pending.count < 4096 { pending.append(event, time: WallClock.now(), adapter: adapter) }
        }
    }
}
