import BeaconModel
import Glibc

/// The sandbox in which programs open a picture: bubblewrap without network, files of this machine, and privileges.
///
/// A program sees the programs and libraries of /usr, a few devices, an empty /tmp, and the picture as /picture. The
/// picture is in memory and on no disk. The only other way to run these programs is `PictureWorker`, in a confined unit.
package enum PictureSandbox {
    /// Path of the picture in the sandbox.
    package static let picture = "/picture"

    /// Limits of a program: memory, processor time, processes, files and time.
    enum Limits {
        static let memory = 1 << 30
        static let processorSeconds = 20
        static let processes = 16
        static let fileBytes = 1 << 20
        static let directoryBytes = 16 << 20
        static let seconds = 20
    }

    /// The programs that are needed, with their Debian packages.
    static let programs = [
        ("/usr/bin/bwrap", "bubblewrap"), ("/usr/bin/prlimit", "util-linux"), ("/usr/bin/timeout", "coreutils"),
        ("/usr/bin/zbarimg", "zbar-tools"), ("/usr/bin/tesseract", "tesseract-ocr"),
    ]

    /// Checks that pictures can be read on this machine.
    ///
    /// - Throws: `PictureReadingError`.
    package static func check() throws(PictureReadingError) {
        try checkPrograms()
        let output = try run(
            ["/usr/bin/true"], on: [], keepsErrors: true, limit: 4096, until: ContinuousClock.now + .seconds(10))
        guard output.status == 0 else {
            let text = String(decoding: output.bytes, as: UTF8.self)
            let line = text.split(separator: "\n").last.map(String.init)
            throw .noSandbox(line ?? "bubblewrap ended with status \(output.status)")
        }
    }

    /// Checks that the programs are installed.
    ///
    /// - Parameter others: programs that are not needed.
    static func checkPrograms(without others: Set<String> = []) throws(PictureReadingError) {
        for (program, package) in programs where !others.contains(program) && access(program, X_OK) != 0 {
            throw .missing(program: program, package: package)
        }
    }

    /// Runs a program on a picture, and waits for it. It is killed at the deadline.
    ///
    /// - Parameters:
    ///   - command: the program's path in the sandbox, and its arguments.
    ///   - keepsErrors: whether the output includes what the program prints to standard error.
    ///   - limit: length in bytes of the output at which the program is killed.
    /// - Throws: `PictureReadingError` if the program cannot be started.
    package static func run(
        _ command: [String], on bytes: [UInt8], keepsErrors: Bool = false, limit: Int,
        until deadline: ContinuousClock.Instant
    ) throws(PictureReadingError) -> SandboxedOutput {
        try run(arguments(command, seconds: seconds(until: deadline)), on: bytes, keepsErrors, limit, deadline)
    }

    /// Runs a program with all its arguments.
    static func run(
        _ arguments: [String], on bytes: [UInt8], _ keepsErrors: Bool, _ limit: Int,
        _ deadline: ContinuousClock.Instant
    ) throws(PictureReadingError) -> SandboxedOutput {
        do throws(SystemError) {
            var program = try SandboxedProgram(arguments, picture: bytes, keepsErrors)
            return try program.output(limit: limit, until: deadline)
        } catch {
            throw .system(error)
        }
    }

    /// Returns the time after which a program ends itself: after the deadline, if this process cannot end it.
    static func seconds(until deadline: ContinuousClock.Instant) -> Int {
        let left = min(Int64(Limits.seconds), (deadline - ContinuousClock.now).components.seconds + 2)
        return max(1, Int(left))
    }

    /// Returns the arguments of bubblewrap. Descriptor 3 has the picture.
    static func arguments(_ command: [String], seconds: Int) -> [String] {
        let sandbox = [
            "/usr/bin/bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv",
            "--setenv", "PATH", "/usr/bin", "--setenv", "LC_ALL", "C.UTF-8", "--setenv", "OMP_THREAD_LIMIT", "1",
            "--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib",
            "--symlink", "usr/lib64", "/lib64", "--dev", "/dev", "--remount-ro", "/dev",
            "--size", "\(Limits.directoryBytes)", "--tmpfs", "/tmp", "--ro-bind-data",
            "\(SandboxedProgram.pictureDescriptor)",
            picture, "--remount-ro", "/", "--cap-drop", "ALL", "--chdir", "/tmp",
            "/usr/bin/prlimit", "--as=\(Limits.memory)", "--cpu=\(Limits.processorSeconds)",
            "--nproc=\(Limits.processes)", "--fsize=\(Limits.fileBytes)", "--core=0",
            "/usr/bin/timeout", "--kill-after=1", "\(seconds)",
        ]
        return sandbox + command
    }
}
