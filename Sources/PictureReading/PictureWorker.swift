import BeaconModel
import Glibc
import OperatorText
import ResultPictures
import SystemIO

/// The reading of one picture from a socket, in a process that is confined as a whole.
///
/// The systemd unit `beacon-ocr@.service` is the sandbox. The programs run without bubblewrap in it, so the worker
/// refuses to work where it could reach a network.
package enum PictureWorker {
    /// Time for the picture to arrive, and for the programs; the unit ends after 30 s.
    private static let patience: Duration = .seconds(8)
    private static let work: Duration = .seconds(20)

    /// Reads a picture from standard input, and returns the reply.
    ///
    /// - Throws: `PictureReadingError`, `PictureError`.
    package static func reply() throws -> [UInt8] {
        try checkConfinement()
        try PictureSandbox.checkPrograms(without: ["/usr/bin/bwrap"])
        let (request, bytes) = try receive(from: STDIN_FILENO, until: ContinuousClock.now + patience)
        let picture = try StrippedPicture(bytes)
        var work = PictureWork(
            picture: picture, latest: request.latest, in: .unit, until: ContinuousClock.now + Self.work)
        return PictureReply.encode(try work.findings())
    }

    /// Checks that standard input is a socket, and that no network can be reached.
    ///
    /// - Throws: `PictureReadingError.notConfined`.
    private static func checkConfinement() throws(PictureReadingError) {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw .notConfined("its standard input is not a socket")
        }
        // Of this process, also if /sys is still that of the machine.
        let path = "/proc/self/net/dev"
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: 1 << 20)
        } catch {
            throw .notConfined("its network interfaces are not known: \(error.what)")
        }
        let others = interfaces(String(decoding: bytes, as: UTF8.self)).filter { $0 != "lo" }
        if let first = others.first {
            throw .notConfined("it has the network interface \(first.shown(upTo: 32)), and may have none but lo")
        }
    }

    /// Returns the names of network interfaces in `/proc/net/dev`: two lines of headings, and a line for each.
    static func interfaces(_ text: String) -> [String] {
        text.split(separator: "\n").dropFirst(2).map { line in
            String(line.prefix { $0 != ":" }.drop { $0 == " " })
        }
    }

    /// Reads a request with its picture.
    ///
    /// - Throws: `PictureReadingError`.
    static func receive(
        from descriptor: CInt, until deadline: ContinuousClock.Instant
    ) throws(PictureReadingError) -> (request: PictureRequest, picture: [UInt8]) {
        let header = try receive(PictureRequest.length, from: descriptor, until: deadline)
        guard let request = PictureRequest(header) else {
            throw .badRequest("its header is not a length of at most \(PictureLimits.bytes) bytes and a day")
        }
        return (request, try receive(request.byteCount, from: descriptor, until: deadline))
    }

    private static func receive(
        _ count: Int, from descriptor: CInt, until deadline: ContinuousClock.Instant
    ) throws(PictureReadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < count {
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw .badRequest("only \(bytes.count) of \(count) bytes came in time") }
            do throws(SystemError) {
                let ready = try waitUntilReady(descriptor, for: .readable, wakeup: nil, timeout: left)
                if ready.readiness.isEmpty { continue }
            } catch {
                throw .system(error)
            }
            let length = read(descriptor, &buffer, min(buffer.count, count - bytes.count))
            if length == 0 { throw .badRequest("it ends after \(bytes.count) of \(count) bytes") }
            if length > 0 {
                bytes += buffer[0..<length]
            } else if errno != EINTR, errno != EAGAIN {
                throw .system(SystemError("read a picture", errorNumber: errno))
            }
        }
        return bytes
    }

    /// Returns the arguments of a program with its limits. The number of processes is limited by the unit: here it would
    /// count those of other workers.
    static func arguments(_ command: [String], seconds: Int) -> [String] {
        [
            "/usr/bin/env", "-i", "PATH=/usr/bin", "LC_ALL=C.UTF-8", "OMP_THREAD_LIMIT=1", "/usr/bin/prlimit",
            "--as=\(PictureSandbox.Limits.memory)", "--cpu=\(PictureSandbox.Limits.processorSeconds)",
            "--fsize=\(PictureSandbox.Limits.fileBytes)", "--core=0",
            "/usr/bin/timeout", "--kill-after=1", "\(seconds)",
        ] + command
    }
}
