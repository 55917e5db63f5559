import Glibc

@testable import AccuracyBenchmark

/// A folder for the files of one test, with folders in it, removed with it.
final class TemporaryFolder: Sendable {
    struct Failure: Error {}

    let path: String

    init() throws {
        var template = Array("/tmp/accuracy-tests-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) else {
            throw Failure()
        }
        path = String(cString: made)
    }

    deinit { Self.remove(path) }

    private static func remove(_ path: String) {
        for name in DataDirectory.names(in: path) { remove("\(path)/\(name)") }
        _ = Glibc.remove(path)
    }

    /// Writes a file, in folders that are made for it, and gives its path.
    func write(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        makeFolders(of: name)
        guard let stream = fopen(file, "w") else { throw Failure() }
        defer { fclose(stream) }
        guard fputs(text, stream) >= 0 else { throw Failure() }
        return file
    }

    func makeFolders(of name: String) {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o755)
        }
    }
}
