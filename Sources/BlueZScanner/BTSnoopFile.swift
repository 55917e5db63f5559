import BeaconModel
import Glibc
import SystemIO

/// A btsnoop capture file: HCI H4 (datalink 1002, as phones and `hcidump` write it) or the Linux monitor format
/// (datalink 2001, as `btmon -w` writes it). The format is that of RFC 1761 with 64-bit microsecond timestamps.
public struct BTSnoopFile: ~Copyable {
    private let path: String
    private let descriptor: CInt
    private var datalink = Datalink.h4
    private var buffer: [UInt8] = []
    private var consumed = 0
    /// Offset in the file of `buffer[consumed]`.
    private var offset: UInt64 = 0
    private var atEnd = false

    private enum Datalink: UInt32 {
        case h4 = 1002
        case monitor = 2001
    }

    /// btsnoop counts microseconds from the start of the year 0; this is 1970-01-01T00:00:00Z.
    private static let unixEpoch: Int64 = 0x00DC_DDB3_0F2F_8000
    /// No HCI packet is longer; a longer record is damage.
    private static let longestRecord = 0x1_0000 + 16

    /// - Throws: `CaptureError` when the file can't be read or isn't such a capture.
    public init(path: String) throws(CaptureError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(SystemError("open \(path)", errorNumber: errno)) }
        guard try fill(16), buffer.prefix(8).elementsEqual("btsnoop\0".utf8) else {
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

    /// The next packets, at most `limit`; `nil` at the end of the file.
    ///
    /// - Throws: `CaptureError` at a damaged record, after everything before it was returned.
    public mutating func next(limit: Int) throws(CaptureError) -> HCIPacketBatch? {
        var batch = HCIPacketBatch()
        while batch.count < limit {
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
            if buffer.count == consumed { return false }
            throw .truncated(path: path, byte: offset)
        }
        let length = Int(number(at: 4))
        guard length <= Self.longestRecord else { throw .damaged(path: path, byte: offset, length: length) }
        guard try fill(24 + length) else { throw .truncated(path: path, byte: offset) }
        let flags = number(at: 8)
        let timestamp = Int64(bitPattern: UInt64(number(at: 16)) << 32 | UInt64(number(at: 20)))
        // Times before 1970 become 1970; after that the subtraction can't overflow.
        let time = Timestamp(microseconds: max(timestamp, Self.unixEpoch) - Self.unixEpoch)
        let packet = buffer[(consumed + 24)..<(consumed + 24 + length)]
        switch datalink {
        case .h4:
            batch.append(packet, time: time, adapter: Adapter(index: 0))
        case .monitor:
            // The upper half of the flags is the adapter, the lower half the kind of record; 3 is an HCI event,
            // stored without its packet type.
            if flags & 0xFFFF == 3 {
                batch.append([0x04] + packet, time: time, adapter: Adapter(index: UInt16(flags >> 16)))
            }
        }
        consume(24 + length)
        return true
    }

    private func number(at position: Int) -> UInt32 {
        buffer[(consumed + position)..<(consumed + position + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func consume(_ count: Int) {
        consumed += count
        offset += UInt64(count)
    }

    /// Reads until `count` bytes are there; `false` when the file ends before.
    private mutating func fill(_ count: Int) throws(CaptureError) -> Bool {
        while buffer.count - consumed < count {
            if atEnd { return false }
            buffer.removeFirst(consumed)
            consumed = 0
            var received = 0
            var failure: CInt = 0
            buffer += [UInt8](unsafeUninitializedCapacity: 64 * 1024) { room, count in
                received = read(descriptor, room.baseAddress, room.count)
                failure = errno
                count = max(0, received)
            }
            if received < 0 {
                if failure == EINTR { continue }
                throw .unreadable(SystemError("read \(path)", errorNumber: failure))
            }
            atEnd = received == 0
        }
        return true
    }
}
