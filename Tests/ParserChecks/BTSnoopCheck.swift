import BeaconModel
import BlueZScanner
import HCI
import SystemIO

/// A btsnoop file to packets.
enum BTSnoopCheck: ParserCheck {
    static let name = "btsnoop"

    private struct Packet: Equatable {
        var bytes: [UInt8]
        var time: Timestamp
        var adapter: Adapter
    }

    private struct Reading {
        var packets: [Packet] = []
        var error: CaptureError?

        init(_ contents: [UInt8], limit: Int) throws(Unavailable) {
            guard let memory = MemoryFile(contents) else { throw Unavailable() }
            do throws(CaptureError) {
                var file = try BTSnoopFile(path: memory.path)
                while let batch = try file.next(limit: limit) {
                    var found: [Packet] = []
                    batch.forEachPacket { span, time, adapter in
                        found.append(
                            Packet(bytes: span.withUnsafeBufferPointer { Array($0) }, time: time, adapter: adapter))
                    }
                    packets += found
                    _ = batch.forEachReport { _, _ in }
                }
            } catch {
                self.error = error
            }
        }

        /// The error without the path.
        var end: String? { error.map { "\($0.exitStatus) \($0.what.split(separator: " ").dropFirst())" } }
    }

    private struct Unavailable: Error {}

    static func violation(for contents: [UInt8]) -> String? {
        do {
            let reading = try Reading(contents, limit: 1000)
            let slow = try Reading(contents, limit: 3)
            if slow.packets != reading.packets || slow.end != reading.end { return "batches change what is read" }
            // 24 bytes before each record, of which one may become the packet type.
            let bytes = reading.packets.reduce(0) { $0 + $1.bytes.count + 23 }
            if bytes > contents.count { return "\(reading.packets.count) packets in \(contents.count) bytes" }
            switch reading.error {
            case .truncated(_, let byte), .damaged(_, let byte, _):
                if byte > contents.count { return "damage at byte \(byte) of \(contents.count)" }
            case .unreadable(let error): return error.what
            case .notBTSnoop, .unsupported: if !reading.packets.isEmpty { return "packets of another format" }
            case nil: break
            }
            return try roundTrip(reading.packets)
        } catch {
            return "no file in memory"
        }
    }

    /// Events that are written and read again are the same.
    private static func roundTrip(_ packets: [Packet]) throws(Unavailable) -> String? {
        let events = packets.filter { $0.bytes.first == 0x04 && $0.bytes.count <= 258 }
        var contents = BTSnoopEncoding.fileHeader
        for event in events {
            BTSnoopEncoding.appendPacket(event.bytes.span, time: event.time, adapter: event.adapter, to: &contents)
        }
        let again = try Reading(contents, limit: 1000)
        return again.error == nil && again.packets == events ? nil : "events aren't what they were when written"
    }
}
