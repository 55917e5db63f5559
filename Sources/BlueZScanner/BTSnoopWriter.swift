package import BeaconModel
import Glibc
import HCI
import SystemIO

/// A writer for btsnoop files in the Linux monitor format. The file always ends with a complete record, even when the
/// disk is full.
package struct BTSnoopWriter: ~Copyable {
    /// Size of the file in bytes, including data that has not been flushed.
    package var size: Int { flushed + buffer.count }

    private let path: String
    private let descriptor: CInt
    private var buffer = BTSnoopEncoding.fileHeader
    private var flushed = 0
    private var introduced: Set<Adapter> = []

    /// Creates the file, which must not exist. Only its owner can read it, because it reveals who was nearby.
    package init(creating path: String) throws(SystemError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw SystemError("create \(path)", errorNumber: errno) }
        do throws(SystemError) {
            try flush()
        } catch {
            // A file without a header is not a capture.
            unlink(path)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Returns the maximum number of bytes by which a packet of `adapter` enlarges the file.
    package func room(for adapter: Adapter) -> Int {
        BTSnoopEncoding.longestPacketRecord
            + (introduced.contains(adapter) ? 0 : BTSnoopEncoding.newIndexRecordLength)
    }

    /// Appends one H4 event packet, preceded by a record that introduces its adapter if this is the adapter's first
    /// packet. The data stays in memory until `flush`.
    package mutating func append(_ packet: Span<UInt8>, time: Timestamp, adapter: Adapter) {
        introduce(adapter, time: time)
        BTSnoopEncoding.appendPacket(packet, time: time, adapter: adapter, to: &buffer)
    }

    /// Introduces an adapter before its packets, unless it has been introduced already.
    package mutating func introduce(_ adapter: Adapter, time: Timestamp) {
        if introduced.insert(adapter).inserted {
            BTSnoopEncoding.appendNewIndex(adapter, time: time, to: &buffer)
        }
    }

    /// Writes the appended records to the file.
    ///
    /// - Throws: `SystemError` when writing fails. The file is then as it was after the last flush.
    package mutating func flush() throws(SystemError) {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { raw in
                write(descriptor, raw.baseAddress.map { $0 + written }, buffer.count - written)
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                let error = SystemError("write \(path)", errorNumber: count == 0 ? ENOSPC : errno)
                // An incomplete record at the end would make the whole file look damaged.
                _ = ftruncate(descriptor, off_t(flushed))
                buffer.removeAll()
                throw error
            }
        }
        flushed += written
        buffer.removeAll(keepingCapacity: true)
    }
}
