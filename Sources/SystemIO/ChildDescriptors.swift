package import BeaconModel
import CLinux
import Glibc

/// Descriptors that are prepared for a child program, above the numbers that the program has for its own.
///
/// No other program inherits them. Those that were not taken are closed when the owner releases this.
package struct ChildDescriptors: ~Copyable {
    /// First number that is above those of programs.
    private static let lowest: CInt = 10

    private var open: [CInt] = []

    package init() {}

    deinit {
        for descriptor in open { close(descriptor) }
    }

    /// Moves a descriptor above the numbers of programs.
    ///
    /// - Parameters:
    ///   - descriptor: the result of a system call, which can be -1 with an error in `errno`. It is closed.
    ///   - operation: words for an error.
    package mutating func keep(_ descriptor: CInt, _ operation: String) throws(SystemError) -> CInt {
        guard descriptor >= 0 else { throw SystemError(operation, errorNumber: errno) }
        defer { close(descriptor) }
        let kept = fcntl(descriptor, F_DUPFD_CLOEXEC, Self.lowest)
        guard kept >= 0 else { throw SystemError(operation, errorNumber: errno) }
        open.append(kept)
        return kept
    }

    /// Creates a file in memory that a program reads from its beginning: what was verified is what is read, whatever
    /// happens to files on disk.
    ///
    /// - Parameter name: noun of the contents, for errors.
    package mutating func memory(_ name: String, _ bytes: [UInt8]) throws(SystemError) -> CInt {
        let operation = "keep the \(name) in memory"
        let descriptor = try keep(memfd_create(name, Self.closeOnExec), operation)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                write(descriptor, raw.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw SystemError(operation, errorNumber: errno)
            }
        }
        // The program shares the position of this descriptor.
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// Creates a pipe of which the program gets the end for writing.
    package mutating func pipe() throws(SystemError) -> (reading: CInt, writing: CInt) {
        let operation = "create a pipe"
        var ends: [2 of CInt] = [-1, -1]
        let status = withUnsafeMutablePointer(to: &ends) {
            $0.withMemoryRebound(to: CInt.self, capacity: 2) { pipe2($0, O_CLOEXEC) }
        }
        guard status == 0 else { throw SystemError(operation, errorNumber: errno) }
        let writing = ends[1]
        let reading: CInt
        do throws(SystemError) {
            reading = try keep(ends[0], operation)
        } catch {
            close(writing)
            throw error
        }
        return (reading, try keep(writing, operation))
    }

    /// Hands a descriptor over to the caller, who has to close it.
    package mutating func take(_ descriptor: CInt) -> CInt {
        open.removeAll { $0 == descriptor }
        return descriptor
    }

    /// Closes a descriptor that only the program needs.
    package mutating func release(_ descriptor: CInt) { close(take(descriptor)) }

    /// MFD_CLOEXEC of <sys/mman.h>, declared only under _GNU_SOURCE.
    private static let closeOnExec: UInt32 = 1
}
