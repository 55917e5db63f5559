import BeaconModel
import TestValues
import Testing

@testable import ModuleDialogues

@Suite struct SerialTraceTests {
    private static let header = SerialTrace.Header(
        version: "0.1.0", started: "2020-11-15T12:00:00.000Z", port: "/dev/ttyUSB0")

    private static let session = SerialTrace(
        header: header,
        entries: [
            .init(time: .microseconds(100_213), event: .toModule([0x7C])),
            .init(time: .microseconds(101_402), event: .fromModule([0x55])),
            .init(time: .seconds(1), event: .baudRate(9600)), .init(time: .seconds(1), event: .controlLinesPulsed),
            .init(time: .seconds(2), event: .portVanished), .init(time: .seconds(3), event: .portReopened),
            .init(time: .seconds(70_000), event: .note("somebody pressed RESET")),
        ])

    @Test("A trace is text that a person can read")
    func text() {
        let lines = Self.session.text.split(separator: "\n").map(String.init)
        #expect(lines[0] == "# beacon-gateway serial trace 1")
        #expect(lines[5] == "0.100213 > 7c" + String(repeating: " ", count: 52) + "|||")
        #expect(lines[6].hasPrefix("0.101402 < 55 "))
        #expect(
            Array(lines[7...]) == [
                "1.000000 ! baud 9600", "1.000000 ! DTR and RTS pulsed", "2.000000 ! port vanished",
                "3.000000 ! port reopened", "70000.000000 ! somebody pressed RESET",
            ])
    }

    @Test("What is written is read again, exactly")
    func roundTrip() throws {
        #expect(try SerialTrace(Array(Self.session.text.utf8)) == Self.session)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            var trace = SerialTrace(header: Self.header)
            var time: Duration = .zero
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                time += .microseconds(Int.random(in: 0...3_000_000, using: &generator))
                let bytes = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                trace.entries.append(
                    .init(time: time, event: Bool.random(using: &generator) ? .toModule(bytes) : .fromModule(bytes)))
            }
            #expect(try SerialTrace(Array(trace.text.utf8)) == trace)
        }
    }

    @Test("A long piece is several lines of one time, none longer than 100 characters")
    func longPieces() throws {
        let bytes = (0..<100).map { UInt8($0) }
        let trace = SerialTrace(
            header: Self.header, entries: [.init(time: .seconds(9_999_999), event: .fromModule(bytes))])
        #expect(trace.text.split(separator: "\n").allSatisfy { $0.count <= 100 })
        let read = try SerialTrace(Array(trace.text.utf8))
        #expect(read.entries.count == 5)
        let joined = read.entries.flatMap { entry -> [UInt8] in
            if case .fromModule(let bytes) = entry.event { bytes } else { [] }
        }
        #expect(joined == bytes)
    }

    @Test("A recording that was cut off loses its last line, and no more")
    func cutOff() throws {
        let whole = Array(Self.session.text.utf8)
        let header = Array(SerialTrace(header: Self.header).text.utf8).count
        for length in header..<whole.count {
            let trace = try SerialTrace(Array(whole.prefix(length)))
            #expect(Self.session.entries.starts(with: trace.entries))
            #expect(trace.entries.count == whole.prefix(length).count { $0 == 0x0A } - 5)
        }
    }

    @Test("Line ends of another system, empty lines and remarks do no harm")
    func remarks() throws {
        let text = Self.session.text.split(separator: "\n").joined(separator: "\r\n\r\n# a remark\r\n") + "\r\n"
        #expect(try SerialTrace(Array(text.utf8)) == Self.session)
    }

    @Test(
        "What is wrong is named by its line, with what is allowed",
        arguments: [
            ("0.1 > 7c", 6), ("0.100000 > 7", 6), ("0.100000 > +c", 6), ("0.100000 > ", 6), ("0.100000 ? 7c", 6),
            ("-0.100000 > 7c", 6), ("nonsense", 6), ("99999999999.000000 > 7c", 6), ("2.000000 > 7c\n1.000000 > 7c", 7),
            ("1.000000 > 7c\u{7}", 6), ("1.000000 > " + String(repeating: "00", count: 25), 6),
        ])
    func damaged(lines: String, number: Int) {
        do {
            _ = try SerialTrace(Array((SerialTrace(header: Self.header).text + lines + "\n").utf8))
            Issue.record("taken")
        } catch {
            guard case .line(number, _, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(error.exitStatus == .data)
        }
    }

    @Test("Other files are no traces")
    func otherFiles() {
        for text in ["", "\n", "hello\n", "# beacon-gateway serial trace 2\n", SerialTrace.firstLine + "\n"] {
            #expect(throws: SerialTraceError.noTrace) { () throws -> Void in _ = try SerialTrace(Array(text.utf8)) }
        }
        #expect(throws: SerialTraceError.tooLong) { () throws -> Void in
            _ = try SerialTrace([UInt8](repeating: 0x0A, count: SerialTrace.longestFile + 1))
        }
        #expect(throws: SerialTraceError.tooManyLines) { () throws -> Void in
            _ = try SerialTrace([UInt8](repeating: 0x0A, count: SerialTrace.mostLines + 1))
        }
    }

    @Test("No bytes make the reader fail otherwise than by its error")
    func hostile() {
        var generator = SeededGenerator(seed: 2)
        let whole = Array(Self.session.text.utf8)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? SerialTrace(bytes)
        }
    }
}
