import BeaconModel
import CBluetooth
import Glibc
import HCI
import SystemIO

/// Scanning over raw HCI, shared with the kernel and other programs.
///
/// One socket receives only advertising events; another sends commands and receives their completion, so that a flood
/// of advertising events cannot hide it. A third, on the monitor channel, observes what other programs do with the
/// adapter: the raw channel does not report when another program ends the scan.
final class RawPath: ScanPath {
    private let adapter: Adapter
    private let events: HCISocket
    private let commands: HCISocket
    private var observer: AdapterObserver
    private var scan: ScanCommands
    /// Whether the event masks must be set. Another program reset the controller, which sends no advertising events
    /// until they are.
    private var needsEventMasks = false

    init(_ adapter: Adapter) throws(ScannerError) {
        self.adapter = adapter
        scan = ScanCommands(adapter)
        // The observer is opened first, so that no action of another program is missed.
        observer = try AdapterObserver(adapter, hearsAdvertising: false)
        events = try HCISocket(.raw, adapter)
        try events.hear(events: [UInt8(EVT_LE_META_EVENT)])
        events.prepareForFlood()
        commands = try HCISocket(.raw, adapter)
        try commands.hear(events: [UInt8(EVT_CMD_COMPLETE), UInt8(EVT_CMD_STATUS)])
        if commands.isExclusive { throw .busy(adapter) }
    }

    var descriptors: [CInt] { [events.descriptor, observer.descriptor] }

    var drops: UInt32 { events.drops }

    func start() throws(ScannerError) -> ScanMode {
        let mode = try scan.start { command throws(ScannerError) in try commands.exchange(command) }
        // Discards earlier events: only the current state matters.
        _ = try observer.notices { _ in }
        return mode
    }

    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch {
        var batch = HCIPacketBatch()
        try events.receive(into: &batch, limit: limit)
        return batch
    }

    func notices() throws(ScannerError) -> [RadioSupervisor.Input] {
        var inputs: [RadioSupervisor.Input] = []
        let scan = try observer.notices { inputs.append($0) }
        if let scan, scan.wasReset { needsEventMasks = true }
        if let scan, !scan.on || scan.filtersDuplicates || scan.wasReset { inputs.append(.scanTakenOver) }
        return inputs
    }

    func ask() throws(ScannerError) {
        try scan.confirm { command throws(ScannerError) in try commands.exchange(command) }
    }

    func rearm(gently: Bool) throws(ScannerError) {
        if needsEventMasks {
            for command in [HCICommand.setEventMask, .setLEEventMask] { _ = try commands.exchange(command) }
            needsEventMasks = false
        }
        if gently {
            try scan.join { command throws(ScannerError) in try commands.exchange(command) }
        } else {
            _ = try scan.start { command throws(ScannerError) in try commands.exchange(command) }
        }
    }

    func stop() throws(ScannerError) {
        try scan.stop { command throws(ScannerError) in try commands.exchange(command) }
    }
}
