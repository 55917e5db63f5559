import BeaconModel
import BlueZScanner
import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Diagnostics
@testable import GatewayCoreTests
@testable import HCI

/// Recordings of captures, through the built program.
@Suite(.timeLimit(.minutes(10))) struct RecordCommandTests {
    private func record(
        _ path: String, _ arguments: [String]
    ) async throws -> (status: Int32, output: [String], errorOutput: [String]) {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), ["record", path] + arguments)
    }

    /// A capture with `count` beacons, one a second, and one packet that is none.
    private func source(_ count: Int, in directory: TemporaryDirectory) throws -> String {
        var capture = Capture()
        capture.add([0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
        for index in 0..<count { capture.addBeacon(rssi: Int8(-30 - index % 60), after: .seconds(1)) }
        return try directory.write("source.btsnoop", capture.bytes)
    }

    /// The RSSI of each report of a file, the oldest first.
    private func rssi(in path: String) throws -> [Int8] {
        var file = try BTSnoopFile(path: path)
        var rssi: [Int8] = []
        while let batch = try file.next(limit: 100) {
            _ = batch.forEachReport { report, _ in rssi.append(report.rssi?.dBm ?? 0) }
        }
        return rssi
    }

    private func expected(_ range: Range<Int>) -> [Int8] { range.map { Int8(-30 - $0 % 60) } }

    @Test("The reports of a capture are recorded and nothing else, and the end says what")
    func recorded() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/air.btsnoop"
        let result = try await record(path, ["--replay", try source(3, in: directory)])
        #expect(result.status == 0)
        #expect(
            result.output == [
                "recorded   3 packets, 260 B, 2020-11-15T12:00:01.000Z to 2020-11-15T12:00:03.000Z (2.0 s)",
                "files      \(path)", "skipped    1 packet other than advertising reports",
            ])
        #expect(try rssi(in: path) == expected(0..<3))
    }

    @Test("Files have a bounded size and number, each readable by itself, the newest with the plain name")
    func rotated() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/air.btsnoop"
        let result = try await record(
            path, ["--replay", try source(200, in: directory), "--max-size", "4kB", "--files", "3"])
        #expect(result.status == 0)
        let names = ["air.2.btsnoop", "air.1.btsnoop", "air.btsnoop"]
        #expect(Set(directory.names) == Set(names + ["source.btsnoop"]))
        let kept = try names.flatMap { try rssi(in: directory.path + "/" + $0) }
        #expect(kept == expected((200 - kept.count)..<200))
        for name in names {
            let size = try FileContents.read(directory.path + "/" + name, limit: 4000).count
            #expect(size <= 4000)
        }
        #expect(result.output.first?.hasPrefix("recorded   \(kept.count) packets") == true, "\(result.output)")
        #expect(result.output.contains { $0.hasPrefix("removed    \(200 - kept.count) packets") }, "\(result.output)")
    }

    @Test("An earlier recording of the same name is kept under a number")
    func again() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/air.btsnoop"
        let arguments = ["--replay", try source(2, in: directory)]
        _ = try await record(path, arguments)
        let first = try FileContents.read(path, limit: 1000)
        #expect(try await record(path, arguments).status == 0)
        #expect(try FileContents.read(directory.path + "/air.1.btsnoop", limit: 1000) == first)
        #expect(try rssi(in: path) == expected(0..<2))
    }

    @Test("A file that isn't a capture is never touched", arguments: ["air.btsnoop", "air.1.btsnoop", "air.3.btsnoop"])
    func notACapture(name: String) async throws {
        let directory = try TemporaryDirectory()
        let letter = try directory.write(name, "Dear Sir or Madam")
        let result = try await record(
            directory.path + "/air.btsnoop", ["--replay", try source(2, in: directory), "--files", "4"])
        #expect(result.status == 64)
        #expect(result.errorOutput.first == "error: \(letter) already exists and is not a btsnoop capture")
        #expect(try FileContents.read(letter, limit: 100) == Array("Dear Sir or Madam".utf8))
        #expect(Set(directory.names) == [name, "source.btsnoop"])
    }

    @Test("A capture isn't recorded into itself")
    func itself() async throws {
        let directory = try TemporaryDirectory()
        let path = try source(2, in: directory)
        let contents = try FileContents.read(path, limit: 1000)
        #expect(try await record(path, ["--replay", path]).status == 64)
        #expect(try FileContents.read(path, limit: 1000) == contents)
    }

    @Test(
        "Where there is no room for more, that is said, and what was written is whole packets",
        .unsanitized("a limit for the size of files keeps ThreadSanitizer from starting"))
    func full() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/air.btsnoop"
        let source = try source(2000, in: directory)
        // A limit for files, in blocks of 512 bytes, stands for the disk; without the signal it is an error like
        // others.
        let command = "trap '' XFSZ; ulimit -f 50; exec \"$0\" record \"$1\" --replay \"$2\""
        let result = try await ChildProcess.run(
            "sh", ["-c", command, BuiltProgram.path("beacon-gateway"), path, source])
        #expect(result.status == 74)
        #expect(result.errorOutput.first?.contains("cannot write \(path): File too large") == true)
        #expect(result.errorOutput.contains { $0.contains("complete up to its last packet") })
        let kept = try rssi(in: path)
        #expect(kept == expected(0..<kept.count))
        #expect(kept.count > 100)
        #expect(result.output.first?.hasPrefix("recorded   \(kept.count) packets") == true, "\(result.output)")
    }

    @Test(
        "A file that can't be begun isn't left behind",
        .unsanitized("a limit for the size of files keeps ThreadSanitizer from starting"))
    func fullAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let source = try source(1, in: directory)
        let command = "trap '' XFSZ; ulimit -f 0; exec \"$0\" record \"$1\" --replay \"$2\""
        let result = try await ChildProcess.run(
            "sh", ["-c", command, BuiltProgram.path("beacon-gateway"), directory.path + "/air.btsnoop", source])
        #expect(result.status == 74)
        #expect(directory.names == ["source.btsnoop"])
    }

    @Test("Everything before the damage of a capture is recorded, then the damage is said")
    func damaged() async throws {
        let directory = try TemporaryDirectory()
        let source = try source(5, in: directory)
        #expect(truncate(source, off_t(try FileContents.read(source, limit: 10_000).count - 1)) == 0)
        let path = directory.path + "/air.btsnoop"
        #expect(try await record(path, ["--replay", source]).status == 65)
        #expect(try rssi(in: path) == expected(0..<4))
    }

    @Test("A pseudonymous recording has the same packets at the same times, of others")
    func pseudonymous() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/air.btsnoop"
        let result = try await record(path, ["--replay", try source(5, in: directory), "--pseudonymise"])
        #expect(result.status == 0)
        #expect(result.output.first?.contains("2020-11-15T12:00:01.000Z to 2020-11-15T12:00:05.000Z") == true)
        #expect(try rssi(in: path) == expected(0..<5))
        let bytes = try FileContents.read(path, limit: 10_000)
        let uuid: [UInt8] = [0xE2, 0xC5, 0x6D, 0xB5]
        for part in [uuid, uuid.reversed(), Array(Capture.badgeAddress), Capture.badgeAddress.reversed()] {
            #expect(!bytes.indices.contains { bytes[$0...].starts(with: part) })
        }
    }

    @Test(
        "Wrong sizes, numbers and combinations are refused",
        arguments: [
            (["--max-size", "10"], "512kB, 10MB, 1GB"), (["--max-size", "3999B"], "at least 4kB"),
            (["--files", "0"], "from 1 to 1000"), (["--replay", "x", "--duration", "5s"], "reads a capture"),
        ])
    func usage(arguments: [String], hint: String) async throws {
        let result = try await record("/nonexistent/x.btsnoop", arguments)
        #expect(result.status == 64)
        #expect(result.errorOutput.contains { $0.contains(hint) }, "\(result.errorOutput)")
    }

    @Test(
        "Older files have a number before the extension",
        arguments: [
            ("air.btsnoop", "air.2.btsnoop"), ("/a.b/air", "/a.b/air.2"), ("./x.tar.gz", "./x.tar.2.gz"),
            (".hidden", ".hidden.2"), ("a/.h.log", "a/.h.2.log"),
        ])
    func names(path: String, older: String) {
        #expect(RecordingNames(path: path, count: 3).paths.last == older)
    }
}
