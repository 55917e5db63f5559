import Glibc

/// A file with given contents that is gone when the test is over.
final class TemporaryFile {
    let path: String
    private let directory: String

    init(_ contents: [UInt8]) throws {
        var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/btsnoop-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(operation: "mkdtemp", errorNumber: errno) }
        directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        path = directory + "/capture.btsnoop"
        try write(contents)
    }

    deinit {
        unlink(path)
        rmdir(directory)
    }

    func write(_ contents: [UInt8]) throws {
        guard let file = fopen(path, "wb") else { throw Failure(operation: "open", errorNumber: errno) }
        let count = fwrite(contents, 1, contents.count, file)
        guard fclose(file) == 0, count == contents.count else { throw Failure(operation: "write", errorNumber: errno) }
    }

    func cut(to length: Int) throws {
        guard truncate(path, length) == 0 else { throw Failure(operation: "truncate", errorNumber: errno) }
    }

    /// Descriptors of this process that are open on the file.
    var openDescriptors: Int {
        (0..<1024).count { descriptor in
            var target = [CChar](repeating: 0, count: 4096)
            let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count - 1)
            return length > 0 && target.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } == path
        }
    }

    struct Failure: Error {
        var operation: String
        var errorNumber: Int32
    }
}
