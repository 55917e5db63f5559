import BeaconModel
import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import BlueZScanner
@testable import HCI
@testable import HCITests

@Suite("BTSnoopFile")
struct BTSnoopFileTests {
    private static let packet = EventPacket.legacy(EventPacket.legacyReport())
    private static let command: [UInt8] = [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00]

    /// Everything that a file has, and the error with which it ends.
    private func readAll(_ file: TemporaryFile, limit: Int = 1000) -> (batches: [HCIPacketBatch], error: CaptureError?)
    {
        // The file must be there until it is read.
        withExtendedLifetime(file) { readAll(path: file.path, limit: limit) }
    }

    private func readAll(path: String, limit: Int = 1000) -> (batches: [HCIPacketBatch], error: CaptureError?) {
        var batches: [HCIPacketBatch] = []
        do throws(CaptureError) {
            var capture = try BTSnoopFile(path: path)
            while let batch = try capture.next(limit: limit) { batches.append(batch) }
            return (batches, nil)
        } catch {
            return (batches, error)
        }
    }

    // MARK: - Good files

    @Test("An H4 capture yields its packets, sent ones too, of which only received events are reports")
    func h4() throws {
        let file = try TemporaryFile(
            BTSnoop.header() + BTSnoop.record(Self.command, flags: 2) + BTSnoop.record(Self.packet, flags: 3)
                + BTSnoop.record([0x02, 0x00, 0x00], flags: 1))
        let (batches, error) = readAll(file)
        #expect(error == nil)
        #expect(batches.map(\.count) == [3])
        let heard = try Heard(#require(batches.first))
        #expect(heard.data == [EventPacket.data])
        #expect(heard.reports.map(\.adapter) == [Adapter(index: 0)])
        #expect(heard.defects.isEmpty)
    }

    @Test("A monitor capture yields only events, each with its adapter")
    func monitor() throws {
        // Without the packet type, which the flags say: 0 new index, 2 command, 3 event, 5 ACL received.
        let event = Array(Self.packet.dropFirst())
        let file = try TemporaryFile(
            BTSnoop.header(datalink: BTSnoop.monitor)
                + BTSnoop.record([UInt8](repeating: 0x3E, count: 16), flags: 0)
                + BTSnoop.record(Array(Self.command.dropFirst()), flags: 2)
                + BTSnoop.record(event, flags: 3) + BTSnoop.record(event, flags: 5)
                + BTSnoop.record(event, flags: 0x0001_0003) + BTSnoop.record(event, flags: 0xFFFF_0003))
        let (batches, error) = readAll(file)
        #expect(error == nil)
        #expect(batches.map(\.count) == [3])
        let heard = try Heard(#require(batches.first))
        #expect(heard.reports.map(\.adapter.index) == [0, 1, 65535])
        #expect(heard.data == [EventPacket.data, EventPacket.data, EventPacket.data])
    }

    @Test(
        "Times are read to the microsecond",
        arguments: [
            (0, 946_684_800_000_000), (1, 946_684_800_000_001), (645_100_565_611_859, 1_591_785_365_611_859),
            (-946_684_800_000_000, 0),
        ] as [(Int64, Int64)])
    func times(sinceYear2000: Int64, since1970: Int64) throws {
        let file = try TemporaryFile(BTSnoop.header() + BTSnoop.record(Self.packet, time: sinceYear2000))
        let batch = try #require(readAll(file).batches.first)
        #expect(batch.firstTime == Timestamp(microseconds: since1970))
        #expect(Heard(batch).reports.map(\.time.microseconds) == [since1970])
    }

    @Test("A time before 1970 becomes 1970, however far before", arguments: [UInt64(0), 1 << 63, UInt64.max])
    func impossiblyEarly(raw: UInt64) throws {
        var record = BTSnoop.record(Self.packet)
        record.replaceSubrange(16..<24, with: BTSnoop.bigEndian(raw))
        let batch = try #require(readAll(TemporaryFile(BTSnoop.header() + record)).batches.first)
        #expect(batch.firstTime == .epoch)
    }

    @Test("A time after 9999 becomes the latest there is")
    func impossiblyLate() throws {
        var record = BTSnoop.record(Self.packet)
        record.replaceSubrange(16..<24, with: BTSnoop.bigEndian(Int64.max))
        let batch = try #require(readAll(TemporaryFile(BTSnoop.header() + record)).batches.first)
        #expect(batch.firstTime == .latest)
    }

    @Test("A file with a header only has no packets")
    func headerOnly() throws {
        let (batches, error) = try readAll(TemporaryFile(BTSnoop.header()))
        #expect(batches.isEmpty)
        #expect(error == nil)
    }

    @Test("A monitor capture without events has no packets")
    func noEvents() throws {
        let file = try TemporaryFile(
            BTSnoop.header(datalink: BTSnoop.monitor) + BTSnoop.record([0x00], flags: 0) + BTSnoop.record([], flags: 1))
        let (batches, error) = readAll(file)
        #expect(batches.isEmpty)
        #expect(error == nil)
    }

    @Test("Batches are no longer than asked for, and lose nothing")
    func limit() throws {
        var contents = BTSnoop.header()
        for second in 0..<10 { contents += BTSnoop.record(Self.packet, time: Int64(second) * 1_000_000) }
        let (batches, error) = try readAll(TemporaryFile(contents), limit: 4)
        #expect(error == nil)
        #expect(batches.map(\.count) == [4, 4, 2])
        let times = batches.flatMap { Heard($0).reports.map(\.time.microseconds) }
        #expect(times == (0..<10).map { 946_684_800_000_000 + $0 * 1_000_000 })
    }

    @Test("Records that lie across the read buffer's border are read whole")
    func manyRecords() throws {
        var contents = BTSnoop.header()
        // 4000 records of 24 + 17 to 48 bytes: more than twice the buffer of 64 KiB.
        for index in 0..<4000 {
            let data = [UInt8](repeating: UInt8(index % 251), count: index % 32)
            contents += BTSnoop.record(EventPacket.legacy(EventPacket.legacyReport(data: data)))
        }
        let (batches, error) = try readAll(TemporaryFile(contents), limit: 777)
        #expect(error == nil)
        let data = batches.flatMap { Heard($0).data }
        #expect(data == (0..<4000).map { [UInt8](repeating: UInt8($0 % 251), count: $0 % 32) })
    }

    @Test("A packet that the recorder cut off is a defect of that packet only")
    func cutOffPacket() throws {
        let file = try TemporaryFile(
            BTSnoop.header() + BTSnoop.record(Array(Self.packet.prefix(9)), original: Self.packet.count)
                + BTSnoop.record([], original: 5) + BTSnoop.record(Self.packet))
        let (batches, error) = readAll(file)
        #expect(error == nil)
        let heard = try Heard(#require(batches.first))
        #expect(heard.defects == [.truncatedEvent: 1])
        #expect(heard.data == [EventPacket.data])
    }

    @Test("A record of 65 552 bytes, the longest that can be, is read, and the one after it")
    func longestRecord() throws {
        let file = try TemporaryFile(
            BTSnoop.header() + BTSnoop.record([UInt8](repeating: 0x02, count: 65_552)) + BTSnoop.record(Self.packet))
        let (batches, error) = readAll(file)
        #expect(error == nil)
        #expect(batches.map(\.count) == [2])
        #expect(batches.flatMap { Heard($0).data } == [EventPacket.data])
    }

    @Test("Long packets end a batch early, so that a file can't make it large, and none is lost")
    func longPackets() throws {
        let record = BTSnoop.record([UInt8](repeating: 0x02, count: 65_552))
        var contents = BTSnoop.header()
        for _ in 0..<40 { contents += record }
        let (batches, error) = try readAll(TemporaryFile(contents), limit: 1000)
        #expect(error == nil)
        #expect(batches.map(\.count) == [16, 16, 8])
    }

    @Test("A capture that comes through a pipe, a few bytes at a time, is read like a file")
    func pipe() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        var contents = BTSnoop.header()
        for second in 0..<50 { contents += BTSnoop.record(Self.packet, time: Int64(second)) }
        let bytes = contents
        async let written: Bool = DedicatedThread.run(name: "pipe") {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            return bytes.indices.allSatisfy { index in
                bytes[index..<(index + 1)].withUnsafeBytes { write(descriptor, $0.baseAddress, 1) } == 1
            }
        }
        let count = try await DedicatedThread.run(name: "capture") {
            readAll(path: path).batches.reduce(0) { $0 + $1.count }
        }
        #expect(try await written)
        #expect(count == 50)
    }

    // MARK: - Bad files

    @Test("A file that isn't there can't be read, and the error names it")
    func missing() throws {
        let error = try #require(readAll(path: "/nonexistent/x.btsnoop").error)
        guard case .unreadable(let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.errorNumber == ENOENT)
        #expect(error.what.contains("/nonexistent/x.btsnoop"))
    }

    @Test("A directory can't be read")
    func directory() throws {
        let error = try #require(readAll(path: "/tmp").error)
        guard case .unreadable(let cause) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.errorNumber == EISDIR)
    }

    @Test(
        "Other files are refused as no btsnoop",
        arguments: [
            [], Array("btsnoop".utf8), Array("btsnoop\0".utf8),
            Array("btsnoop\u{1}".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xEA],
            [0xD4, 0xC3, 0xB2, 0xA1] + [UInt8](repeating: 0, count: 40), Array(BTSnoop.header().dropLast()),
        ] as [[UInt8]])
    func notBTSnoop(contents: [UInt8]) throws {
        let file = try TemporaryFile(contents)
        guard case .notBTSnoop(file.path) = readAll(file).error else {
            Issue.record("\(String(describing: readAll(file).error))")
            return
        }
    }

    @Test(
        "Another version or datalink is refused, and the error says which", arguments: [(2, 1002), (1, 1001), (0, 0)])
    func unsupported(version: UInt32, datalink: UInt32) throws {
        let file = try TemporaryFile(BTSnoop.header(version: version, datalink: datalink))
        guard case .unsupported(file.path, version, datalink) = readAll(file).error else {
            Issue.record("\(String(describing: readAll(file).error))")
            return
        }
    }

    @Test("A file that ends inside a record yields everything before, then names the byte where that record starts")
    func truncatedRecord() throws {
        let record = BTSnoop.record(Self.packet)
        for rest in [1, 23, 24, 25, record.count - 1] {
            let file = try TemporaryFile(BTSnoop.header() + record + record + record.prefix(rest))
            let (batches, error) = readAll(file)
            #expect(batches.map(\.count) == [2])
            guard case .truncated(file.path, let byte) = error else {
                Issue.record("\(String(describing: error)) after \(rest) bytes")
                continue
            }
            #expect(byte == UInt64(16 + 2 * record.count))
        }
    }

    @Test("The error of a damaged file stays at every later call")
    func lastingError() throws {
        let file = try TemporaryFile(BTSnoop.header() + BTSnoop.record(Self.packet) + [0x00])
        var capture = try BTSnoopFile(path: file.path)
        #expect(try capture.next(limit: 10)?.count == 1)
        for _ in 0..<2 {
            do throws(CaptureError) {
                _ = try capture.next(limit: 10)
                Issue.record("no error")
            } catch {
                guard case .truncated(_, UInt64(16 + 24 + Self.packet.count)) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }

    @Test("A record longer than any packet is damage, named by its byte", arguments: [UInt32(65_553), 1 << 31, .max])
    func overlongRecord(length: UInt32) throws {
        var record = BTSnoop.record(Self.packet)
        record.replaceSubrange(4..<8, with: BTSnoop.bigEndian(length))
        let file = try TemporaryFile(BTSnoop.header() + BTSnoop.record(Self.packet) + record)
        let (batches, error) = readAll(file)
        #expect(batches.map(\.count) == [1])
        guard case .damaged(file.path, UInt64(16 + 24 + Self.packet.count), Int(length)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("Every truncation of a small file gives its whole records and one error, or none between records")
    func truncations() throws {
        for datalink in [BTSnoop.h4, BTSnoop.monitor] {
            let packet = datalink == BTSnoop.h4 ? Self.packet : Array(Self.packet.dropFirst())
            let record = BTSnoop.record(packet)
            let contents = BTSnoop.header(datalink: datalink) + record + record + record
            let file = try TemporaryFile(contents)
            for length in (0..<contents.count).reversed() {
                try file.cut(to: length)
                let (batches, error) = readAll(file)
                let whole = max(0, length - 16) / record.count
                #expect(batches.reduce(0) { $0 + $1.count } == whole)
                switch error {
                case nil: #expect(length >= 16 && (length - 16) % record.count == 0)
                case .notBTSnoop: #expect(length < 16)
                case .truncated(_, let byte): #expect(byte == UInt64(16 + whole * record.count))
                default: Issue.record("\(String(describing: error)) at \(length)")
                }
            }
        }
    }

    @Test("Random files with a good header never trap and end")
    func randomFiles() throws {
        var generator = SeededGenerator("random captures")
        let file = try TemporaryFile([])
        for _ in 0..<500 {
            var contents = BTSnoop.header(datalink: generator.next() % 2 == 0 ? BTSnoop.h4 : BTSnoop.monitor)
            for _ in 0..<Int.random(in: 0...5, using: &generator) {
                var record = BTSnoop.record(EventPacket.good.randomElement(using: &generator) ?? [])
                record[Int.random(in: 0..<record.count, using: &generator)] = UInt8(
                    truncatingIfNeeded: generator.next())
                contents += record
            }
            try file.write(contents)
            let (batches, _) = readAll(file)
            for batch in batches { _ = Heard(batch) }
            // A record has at least its header.
            #expect(batches.reduce(0) { $0 + $1.count } <= contents.count / 24, generator.comment)
        }
    }

    // MARK: - Descriptors

    @Test("The file is open while it is read, and closed afterwards")
    func closed() throws {
        let file = try TemporaryFile(BTSnoop.header() + BTSnoop.record(Self.packet))
        do {
            var capture = try BTSnoopFile(path: file.path)
            #expect(file.openDescriptors == 1)
            _ = try capture.next(limit: 1)
        }
        #expect(file.openDescriptors == 0)
    }

    @Test("A file that is refused is closed")
    func closedWhenRefused() throws {
        let file = try TemporaryFile(Array("something else entirely".utf8))
        _ = readAll(file)
        #expect(file.openDescriptors == 0)
        try file.write(BTSnoop.header(version: 9))
        _ = readAll(file)
        #expect(file.openDescriptors == 0)
    }
}
