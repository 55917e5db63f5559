import BeaconModel
import BlueZScanner
import Diagnostics
import HCI
import SystemIO

/// Recording of advertising reports in files of bounded number and size. Each file is readable by itself.
struct Recording: ~Copyable {
    private(set) var summary = RecordingSummary()
    /// Path of the latest earlier recording. `removedAtFirst` is the one that was removed to make room.
    let keptAtFirst: String?
    let removedAtFirst: String?
    private let files: RecordingFiles
    /// Maximum size of one file, in bytes.
    private let maximumSize: Int
    private var pseudonymisation: Pseudonymisation?
    private var writer: BTSnoopWriter
    private var packet: [UInt8] = []

    /// Smallest limit for a file's size, in bytes, that leaves room for more than the header.
    static let smallestSize = 4000

    /// Begins a file. An existing file is renamed.
    ///
    /// - Parameters:
    ///   - source: capture from which the batches will come, if any.
    ///   - pseudonymisation: pseudonymisation to apply; `nil` to record the packets as received.
    /// - Throws: `RecordingError`; nothing was changed when an existing file is in the way.
    init(
        names: RecordingNames, maximumSize: Int, source: String?, pseudonymisation: Pseudonymisation?
    ) throws(RecordingError) {
        let files = RecordingFiles(names: names)
        try files.check(source: source, mustBeNew: pseudonymisation != nil)
        let earlier = try files.rotate()
        writer = try RecordingError.wrap { () throws(SystemError) in try BTSnoopWriter(creating: names.path) }
        self.files = files
        self.maximumSize = max(maximumSize, Self.smallestSize)
        self.pseudonymisation = pseudonymisation
        keptAtFirst = earlier.kept
        removedAtFirst = earlier.removed
        summary.beginFile()
        summary.noteWritten(size: writer.size)
    }

    /// Records the advertising reports of a batch. They are in the file when this returns.
    mutating func record(_ batch: HCIPacketBatch) throws(RecordingError) {
        summary.lost += batch.droppedPackets
        try batch.forEachPacket { (bytes, time, adapter) throws(RecordingError) in
            guard BTSnoopEncoding.isAdvertisingReport(bytes) else {
                summary.leftOut += 1
                return
            }
            try makeRoom(for: adapter)
            if pseudonymisation != nil {
                packet.removeAll(keepingCapacity: true)
                bytes.withUnsafeBufferPointer { packet.append(contentsOf: $0) }
                pseudonymisation?.apply(to: &packet, time: time, adapter: adapter)
                let substitute = packet
                writer.append(substitute.span, time: time, adapter: adapter)
            } else {
                writer.append(bytes, time: time, adapter: adapter)
            }
            summary.notePacket(at: time)
        }
        try flush()
    }

    private mutating func makeRoom(for adapter: Adapter) throws(RecordingError) {
        guard writer.size + writer.room(for: adapter) > maximumSize else { return }
        try flush()
        _ = try files.rotate()
        summary.beginFile(limit: files.names.count)
        let path = files.names.path
        writer = try RecordingError.wrap { () throws(SystemError) in try BTSnoopWriter(creating: path) }
        summary.noteWritten(size: writer.size)
    }

    private mutating func flush() throws(RecordingError) {
        do throws(SystemError) {
            try writer.flush()
        } catch {
            summary.forgetUnwritten()
            throw .system(error)
        }
        summary.noteWritten(size: writer.size)
    }
}
