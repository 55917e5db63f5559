import BeaconModel
import HCI
import SystemIO

/// Receives the advertisements of another program's scan on the monitor channel. Sends nothing.
final class MonitorPath: ScanPath {
    private let adapter: Adapter
    private let observer: AdapterObserver
    /// Whether another program scans, by the latest evidence; `nil` before there is any.
    private var isScanning: Bool?
    private var inputs: [RadioSupervisor.Input] = []

    init(_ adapter: Adapter) throws(ScannerError) {
        self.adapter = adapter
        guard let description = try Adapters.list().first(where: { $0.adapter == adapter }) else {
            throw .noSuchAdapter(adapter)
        }
        guard description.isUp else { throw .down(adapter) }
        observer = try AdapterObserver(adapter, hearsAdvertising: true)
    }

    var descriptors: [CInt] { [observer.descriptor] }

    var drops: UInt32 { observer.drops }

    func start() -> ScanMode { .legacy }

    func receive(limit: Int) throws(ScannerError) -> HCIPacketBatch {
        var batch = HCIPacketBatch()
        let scan = try observer.notices(limit: limit) { packet, time in
            batch.append(packet, time: time, adapter: adapter)
        } _: {
            inputs.append($0)
        }
        if let scan { isScanning = scan.on }
        if !batch.isEmpty { isScanning = isScanning ?? true }
        return batch
    }

    func notices() -> [RadioSupervisor.Input] {
        defer { inputs = [] }
        return inputs
    }

    func ask() throws(ScannerError) {
        if isScanning != true { throw .nobodyScans(adapter) }
    }

    func rearm(gently: Bool) throws(ScannerError) { try ask() }

    func stop() {}
}
