import BeaconModel
import Glibc
package import HCI
import SystemIO

/// A btsnoop capture file: HCI H4 (datalink 1002, as phones and `hcidump` write it) or the Linux monitor format
/// (datalink 2001, as `btmon -w` writes it). The format is that of RFC 1761 with 64-bit microsecond timestamps.
package struct BTSnoopFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    private var datalink = Datalink.h4
    /// What was read and not consumed yet is `buffer[start..<end]`.
    private var buffer = [UInt8](repeating: 0, count: 24 + longestRecord + 128 * 1024)
    private var start = 0
    private var end = 0
    /// Offset in the file of `buffer[start]`.
    private var offset: UInt64 = 0
    private var atEnd = false

    /// Whether packets have the adapter that received them. Without, all have the first.
    package var namesAdapters: Bool { datalink == .monitor }

    private enum Datalink: UInt32 {
        case h4 = 1002
        case monitor = 2001
    }

    /// No HCI packet is longer; a longer record is damage.
    private static let longestRecord = 0x1_0000 + 16
    /// A batch of long packets ends before `limit`, so that no file can make it large.
    private static let fullBatch = 1024 * 1024

    /// - Throws: `CaptureError` when the file can't be read or isn't such a capture.
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

    /// The next packets, at most `limit` and not many more than a megabyte; `nil` at the end of the file.
    ///
    /// - Throws: `CaptureError` at a damaged record, after everything before it was returned.
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
        // Times before 1970 become 1970; after that the subtraction can't overflow.
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

    /// Reads until `count` bytes are there, at most a record; `false` when the file ends before.
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
