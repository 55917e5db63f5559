package import BeaconModel
import Glibc
import HCI
import SystemIO

/// A btsnoop file that is being written, in the Linux monitor format. It always ends with a whole record, also when the
/// disk is full.
package struct BTSnoopWriter: ~Copyable {
    /// Bytes of the file, with what isn't flushed yet.
    package var size: Int { flushed + buffer.count }

    private let path: String
    private let descriptor: CInt
    private var buffer = BTSnoopEncoding.fileHeader
    private var flushed = 0
    private var introduced: Set<Adapter> = []

    /// Creates the file, which must not be there, readable by its owner: it says who was near.
    package init(creating path: String) throws(SystemError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0o600)
        guard descriptor >= 0 else { throw SystemError("create \(path)", errorNumber: errno) }
        do throws(SystemError) {
            try flush()
        } catch {
            // Without a header it would be no capture.
            unlink(path)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// By how many bytes the file grows at most with a packet of `adapter`.
    package func room(for adapter: Adapter) -> Int {
        BTSnoopEncoding.longestPacketRecord
            + (introduced.contains(adapter) ? 0 : BTSnoopEncoding.newIndexRecordLength)
    }

    /// Adds one H4 event packet, after a record that introduces its adapter if it is the first; in memory until
    /// `flush`.
    package mutating func append(_ packet: Span<UInt8>, time: Timestamp, adapter: Adapter) {
        introduce(adapter, time: time)
        BTSnoopEncoding.appendPacket(packet, time: time, adapter: adapter, to: &buffer)
    }

    /// Names an adapter whose packets are going to come.
    package mutating func introduce(_ adapter: Adapter, time: Timestamp) {
        if introduced.insert(adapter).inserted {
            BTSnoopEncoding.appendNewIndex(adapter, time: time, to: &buffer)
        }
    }

    /// Writes what was added.
    ///
    /// - Throws: the reason why that failed. The file has then what it had after the last flush.
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
                // Half a record at the end would make the whole file look damaged.
                _ = ftruncate(descriptor, off_t(flushed))
                buffer.removeAll()
                throw error
            }
        }
        flushed += written
        buffer.removeAll(keepingCapacity: true)
    }
}
