import BeaconModel
import Glibc
import ResultPictures
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import PictureReading

@Suite("Pictures that a worker reads behind a socket", .timeLimit(.minutes(5))) struct PictureSocketTests {
    private static let latest: Int64 = 20_000

    /// The worker where it finds no network interface but lo.
    private static let confined = [
        "/usr/bin/unshare", "--user", "--net", BuiltProgram.path("beacon-matcher"), "picture-worker",
    ]

    private func read(_ picture: StrippedPicture, at path: String) async throws -> PictureReadout {
        try await PictureReader(.socket(path: path), patience: .seconds(20)).read(picture, latest: Self.latest)
    }

    private func failure(_ picture: StrippedPicture, at path: String, patience: Duration = .seconds(20)) async
        -> PictureReadingError?
    {
        do throws(PictureReadingError) {
            _ = try await PictureReader(.socket(path: path), patience: patience).read(picture, latest: Self.latest)
            return nil
        } catch {
            return error
        }
    }

    private func picture() throws -> StrippedPicture {
        try StrippedPicture(PNGFile(squares: PictureReaderTests.code, side: 8).bytes)
    }

    @Test("A worker says of a picture what the sandbox says")
    func same() async throws {
        let server = try PictureSocketServer.running(Self.confined, connections: 2)
        let picture = try picture()
        let readout = try await read(picture, at: server.path)
        #expect(readout.codes == [PictureCode("HTTPS://LAB.EXAMPLE/R/AB12")])
        #expect(try await PictureReader().read(picture, latest: Self.latest) == readout)
        var damaged = PNGFile(squares: PictureReaderTests.code, side: 8)
        damaged.chunks[1] = PNGFile.chunk("IDAT", Array(repeating: 0x55, count: 1000))
        let stripped = try StrippedPicture(damaged.bytes)
        let failed = try await read(stripped, at: server.path)
        #expect(failed.isIncomplete)
        #expect(try await PictureReader().read(stripped, latest: Self.latest) == failed)
    }

    @Test("A worker that could reach a network reads nothing")
    func network() async throws {
        let interfaces = PictureWorker.interfaces(
            String(decoding: try FileContents.read("/proc/self/net/dev", limit: 1 << 20), as: UTF8.self))
        // A machine without a network cannot show it.
        guard interfaces != ["lo"] else { return }
        let program = BuiltProgram.path("beacon-matcher")
        let server = try PictureSocketServer.running([program, "picture-worker"])
        // It may end before the whole picture is sent.
        switch try await failure(picture(), at: server.path) {
        case .badReply(_, let reason): #expect(reason.contains("empty"))
        case .noWorker: break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test("Interfaces are found in the kernel's table") func interfaces() {
        let table = "Inter-|   Receive\n face |bytes\n    lo:   0 0\n  eth0: 1 2\nwlp3s0:9 9\n"
        #expect(PictureWorker.interfaces(table) == ["lo", "eth0", "wlp3s0"])
        #expect(PictureWorker.interfaces("") == [])
    }

    @Test("A worker without a socket refuses to run", arguments: [[], ["/usr/bin/unshare", "--user", "--net"]])
    func noSocket(prefix: [String]) async throws {
        let command = prefix + [BuiltProgram.path("beacon-matcher"), "picture-worker"]
        let result = try await ChildProcess.run(command[0], Array(command.dropFirst()))
        #expect(result.status == 69 && result.output == [])
        #expect(result.errorOutput.joined().contains("its standard input is not a socket"), "\(result.errorOutput)")
    }

    @Test(
        "A hostile reply gives no suggestion",
        arguments: [
            "", "{}", "positive", "{\"codes\":[],\"isIncomplete\":false,\"result\":\"positive\",\"testDay\":20001}",
            "{\"codes\":[],\"isIncomplete\":false,\"result\":\"positive\"}\n{}",
        ])
    func hostile(reply: String) async throws {
        let server = try PictureSocketServer { connection in
            drain(connection)
            _ = reply.utf8CString.withUnsafeBytes { write(connection, $0.baseAddress, reply.utf8.count) }
        }
        guard case .badReply = try await failure(picture(), at: server.path) else {
            Issue.record("the reply was accepted")
            return
        }
    }

    @Test("A reply without end is cut") func endless() async throws {
        let server = try PictureSocketServer { connection in
            drain(connection)
            let part = [UInt8](repeating: UInt8(ascii: "["), count: 65_536)
            while send(connection, part, part.count, CInt(MSG_NOSIGNAL)) > 0 {}
        }
        guard case .badReply(_, let reason) = try await failure(picture(), at: server.path) else {
            Issue.record("the reply was accepted")
            return
        }
        #expect(reason.contains("more than"))
    }

    @Test("A worker that does not read is given up at the deadline") func silent() async throws {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let server = try PictureSocketServer { connection in
            // Until the other end is closed.
            var polled = pollfd(fd: connection, events: 0, revents: 0)
            poll(&polled, 1, -1)
            end.finish()
        }
        // More than a socket's buffer takes.
        let large = try StrippedPicture(
            PNGFile(grey: Array(repeating: Array(repeating: 9, count: 2000), count: 1000)).bytes)
        let found = await failure(large, at: server.path, patience: .seconds(1))
        guard case .noWorker(server.path, let reason) = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(reason.errorNumber == ETIMEDOUT)
        for await _ in ended {}
    }

    @Test("Without a socket the path is named, and what to do") func missing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/none.sock"
        let found = try await failure(picture(), at: path)
        #expect(found?.what.contains(path) == true && found?.remedy?.contains("beacon-ocr.socket") == true)
        #expect(PictureSocket.obstacle(at: path) != nil)
        #expect(PictureSocket.obstacle(at: "/" + String(repeating: "x", count: 200)) != nil)
    }
}

/// Reads a request: a header of 8 bytes, and as many bytes as its first 4 say.
private func drain(_ connection: CInt) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 8 || bytes.count < 8 + bytes[..<4].reduce(0, { $0 << 8 | Int($1) }) {
        let count = read(connection, &buffer, buffer.count)
        guard count > 0 else { return }
        bytes += buffer[0..<count]
    }
}
