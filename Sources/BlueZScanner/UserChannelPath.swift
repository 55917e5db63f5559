import BeaconModel
import Glibc
import HCI
import SystemIO

/// The adapter for this process alone: nobody else can end the scan, and the kernel does nothing with it.
///
/// The adapter is switched off first, because the kernel gives only such a one away; bluetoothd loses it.
final class UserChannelPath: ScanPath {
    private let adapter: Adapter
    private let socket: HCISocket
    private var scan: ScanCommands
    /// Events that came while an answer was awaited.
    private var pending = HCIPacketBatch()
    /// Its code, when the controller said that its hardware failed: the kernel does nothing about it here.
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
        // What the kernel does for the other paths.
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
