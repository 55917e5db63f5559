import BeaconModel
import Glibc
package import HCI
import SystemIO

/// A btsnoop capture file: HCI H4 (datalink 1002, as written by phones and `hcidump`) or the Linux monitor format
/// (datalink 2001, as written by `btmon -w`). The format is that of RFC 1761 with 64-bit microsecond timestamps.
package struct BTSnoopFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    private var datalink = Datalink.h4
    /// Read buffer. `buffer[start..<end]` has been read but not consumed.
    private var buffer = [UInt8](repeating: 0, count: 24 + longestRecord + 128 * 1024)
    private var start = 0
    private var end = 0
    /// File offset of `buffer[start]`.
    private var offset: UInt64 = 0
    private var atEnd = false

    /// Whether packets name the adapter that received them. If not, all are attributed to the first adapter.
    package var namesAdapters: Bool { datalink == .monitor }

    private enum Datalink: UInt32 {
        case h4 = 1002
        case monitor = 2001
    }

    /// Maximum record length in bytes. No HCI packet is longer; a longer record is damaged.
    private static let longestRecord = 0x1_0000 + 16
    /// Size in bytes at which a batch ends even before `limit` packets, so that long packets cannot make a batch large.
    private static let fullBatch = 1024 * 1024

    /// Opens a capture file.
    ///
    /// - Throws: `CaptureError` when the file cannot be read or is not a supported capture.
    package init(path: String) throws(CaptureError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(SystemError("open \(path)", errorNumber: errno)) }
        guard try fill(16), buffer[start..<(start + 8)].elementsEqual("btsnoop\0".utf8) else {
            throw .notBTSnoop(path: path)
        }
        let version = number(at: 8)
        let found = number(at: 12)
        guard version == 1, let datalink = Datalink(rawValue: found) else {
            throw .unsupported(path: path, version: version, datalink: found)
        }
        self.datalink = datalink
        consume(16)
    }

    deinit { close(descriptor) }

    /// Returns the next packets, at most `limit` and not much more than a megabyte; `nil` at the end of the file.
    ///
    /// - Throws: `CaptureError` at a damaged record, after all records before it have been returned.
    package mutating func next(limit: Int) throws(CaptureError) -> HCIPacketBatch? {
        var batch = HCIPacketBatch()
        while batch.count < limit, batch.byteCount < Self.fullBatch {
            do throws(CaptureError) {
                guard try readRecord(into: &batch) else { break }
            } catch {
                if batch.isEmpty { throw error }
                // The same record fails again at the next call.
                break
            }
        }
        return batch.isEmpty ? nil : batch
    }

    /// Reads one record.
    ///
    /// - Returns: `false` at the end of the file.
    private mutating func readRecord(into batch: inout HCIPacketBatch) throws(CaptureError) -> Bool {
        guard try fill(24) else {
            if start == end { return false }
            throw .truncated(path: path, byte: offset)
        }
        let length = Int(number(at: 4))
        guard length <= Self.longestRecord else { throw .damaged(path: path, byte: offset, length: length) }
        guard try fill(24 + length) else { throw .truncated(path: path, byte: offset) }
        let flags = number(at: 8)
        let timestamp = Int64(bitPattern: UInt64(number(at: 16)) << 32 | UInt64(number(at: 20)))
        // Times before 1970 become 1970. After that the subtraction cannot overflow.
        let epoch = BTSnoopEncoding.unixEpoch
        let time = Timestamp(microseconds: max(timestamp, epoch) - epoch)
        let packet = buffer[(start + 24)..<(start + 24 + length)]
        switch datalink {
        case .h4:
            batch.append(packet, time: time, adapter: Adapter(index: 0))
        case .monitor:
            // An event is stored without its packet type.
            if UInt16(truncatingIfNeeded: flags) == BTSnoopEncoding.Opcode.event {
                batch.append(packet, ofType: 0x04, time: time, adapter: Adapter(index: UInt16(flags >> 16)))
            }
        }
        consume(24 + length)
        return true
    }

    private func number(at position: Int) -> UInt32 {
        buffer[(start + position)..<(start + position + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func consume(_ count: Int) {
        start += count
        offset += UInt64(count)
    }

    /// Fills the buffer to at least `count` bytes, at most one record. Returns `false` when the file ends before that.
    private mutating func fill(_ count: Int) throws(CaptureError) -> Bool {
        while end - start < count {
            if atEnd { return false }
            if start > 0 {
                let rest = start..<end
                buffer.withUnsafeMutableBytes { bytes in
                    bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[rest]))
                }
                start = 0
                end = rest.count
            }
            let received = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress.map { $0 + end }, bytes.count - end)
            }
            if received < 0 {
                if errno == EINTR { continue }
                throw .unreadable(SystemError("read \(path)", errorNumber: errno))
            }
            end += received
            atEnd = received == 0
        }
        return true
    }
}
