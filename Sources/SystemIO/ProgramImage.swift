package import BeaconModel
import CLinux
import Glibc

/// The program of this process.
package enum ProgramImage {
    /// Runs the program again in this process, from its beginning and with the same arguments. The process keeps its
    /// number, environment, user and capabilities, so that a service manager does not notice an end.
    ///
    /// Returns only with an error. Nothing may be written or awaited any more when this is called: all threads end.
    package static func runAgain() -> SystemError {
        closeOnExec()
        // A handler or a blocked signal of this run would outlast it. SIGHUP stays ignored: until the next run has its
        // own handler, it would end the program.
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv(path, &arguments)
        return SystemError("run \(path) again", errorNumber: errno)
    }

    /// The path of the program as it is now, or the program itself if an upgrade has removed that: with a path, tools
    /// show the program's own name.
    private static var path: String {
        let own = "/proc/self/exe"
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(own, &buffer, buffer.count - 1)
        guard count > 0 else { return own }
        let path = String(decoding: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        return access(path, X_OK) == 0 ? path : own
    }

    /// Lets no descriptor outlast this run but standard input, output and error: locks would be kept, and connections
    /// would stay open.
    private static func closeOnExec() {
        guard let directory = opendir("/proc/self/fd") else { return }
        var descriptors: [CInt] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = CInt(name), number > STDERR_FILENO { descriptors.append(number) }
        }
        closedir(directory)
        for descriptor in descriptors {
            let flags = fcntl(descriptor, F_GETFD)
            if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
        }
    }
}
