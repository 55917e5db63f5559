import BeaconModel
import Glibc
import ResultPictures
import SystemIO

/// The worker behind a Unix socket: what is sent to it, and what is believed of its reply.
package enum PictureSocket {
    /// Time after the worker's own limit in which its reply is read.
    private static let grace: Duration = .seconds(10)
    /// Maximum length of a path in a socket's address.
    package static let longestPath = 107

    /// Returns why no picture can be sent to a path; `nil` if there is a socket to which this process can connect.
    package static func obstacle(at path: String) -> PictureReadingError? {
        do throws(SystemError) {
            close(try connected(path))
            return nil
        } catch {
            return .noWorker(path: path, error)
        }
    }

    /// Sends a picture, and parses the reply.
    ///
    /// - Throws: `PictureReadingError`.
    static func findings(
        in picture: StrippedPicture, latest: Int64, at path: String, until deadline: ContinuousClock.Instant
    ) throws(PictureReadingError) -> PictureFindings {
        guard let request = PictureRequest(byteCount: picture.bytes.count, latest: latest) else {
            throw .badRequest("the picture is too long")
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            let descriptor = try connected(path)
            defer { close(descriptor) }
            try send(request.bytes, to: descriptor, until: deadline)
            try send(picture.bytes, to: descriptor, until: deadline)
            bytes = try reply(from: descriptor, until: deadline + grace)
        } catch {
            throw .noWorker(path: path, error)
        }
        do throws(PictureReplyError) {
            return try PictureReply.parse(bytes, latest: latest)
        } catch {
            throw .badReply(path: path, error.reason)
        }
    }

    /// Connects to a socket. The descriptor belongs to the caller, and does not block.
    private static func connected(_ path: String) throws(SystemError) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count <= longestPath else { throw SystemError("connect to it", errorNumber: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw SystemError("create a socket", errorNumber: errno) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else {
            let number = errno
            close(descriptor)
            throw SystemError("connect to it", errorNumber: number)
        }
        return descriptor
    }

    private static func send(
        _ bytes: [UInt8], to descriptor: CInt, until deadline: ContinuousClock.Instant
    ) throws(SystemError) {
        var sent = 0
        while sent < bytes.count {
            try wait(descriptor, for: .writable, until: deadline)
            let count = bytes.withUnsafeBytes { raw in
                Glibc.send(
                    descriptor, raw.baseAddress.map { $0 + sent }, bytes.count - sent, CInt(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno != EINTR, errno != EAGAIN {
                throw SystemError("send the picture", errorNumber: errno)
            }
        }
    }

    /// Reads until the worker has closed its end, at most one byte more than a reply may have.
    private static func reply(
        from descriptor: CInt, until deadline: ContinuousClock.Instant
    ) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= PictureReply.longest {
            try wait(descriptor, for: .readable, until: deadline)
            let count = read(descriptor, &buffer, min(buffer.count, PictureReply.longest + 1 - bytes.count))
            if count == 0 { break }
            if count > 0 {
                bytes += buffer[0..<count]
            } else if errno != EINTR, errno != EAGAIN {
                throw SystemError("read the reply", errorNumber: errno)
            }
        }
        return bytes
    }

    /// Waits until a descriptor is ready. A worker that sends a byte now and then gains no time by it.
    private static func wait(
        _ descriptor: CInt, for interest: Readiness, until deadline: ContinuousClock.Instant
    ) throws(SystemError) {
        let left = deadline - ContinuousClock.now
        if left > .zero {
            let ready = try waitUntilReady(descriptor, for: interest, wakeup: nil, timeout: left)
            if !ready.readiness.isEmpty { return }
        }
        throw SystemError("wait for the worker", errorNumber: ETIMEDOUT)
    }
}
