import BeaconModel
import CBluetooth
import Glibc
import HCI
import SystemIO

/// Raw HCI, beside the kernel's and other programs' use of the adapter.
///
/// One socket hears advertising events and nothing else, another sends commands and hears their completion, so that a
/// flood of the former can't hide the latter. A third, on the monitor channel, hears what others do with the adapter:
/// the raw channel says nothing when another program ends the scan.
final class RawPath: ScanPath {
    private let adapter: Adapter
    private let events: HCISocket
    private let commands: HCISocket
    private var observer: AdapterObserver
    private var scan: ScanCommands
    /// Somebody reset the controller, and it sends no advertising events until it is told to.
    private var needsEventMasks = false

    init(_ adapter: Adapter) throws(ScannerError) {
        self.adapter = adapter
        scan = ScanCommands(adapter)
        // Before the rest, so that nothing that others do meanwhile is missed.
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
        // Of what was done until here only what is true at its end matters.
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
