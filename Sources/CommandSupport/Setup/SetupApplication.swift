package import BeaconModel
import Glibc
import OperatorText
package import Setup
import SystemIO

/// Carries out a plan: writes the files, all or none, and runs the commands.
package struct SetupApplication {
    private let plan: SetupPlan
    /// Group of the service, which reads the configuration and the secrets.
    private let group: UInt32?
    private let time: Timestamp

    private struct Earlier {
        var path: String
        /// Contents that were there; `nil` if the file is new.
        var contents: [UInt8]?
        var ownership: FileOwnership?
    }

    /// - Parameters:
    ///   - group: name of the service's group; files belong to it if it exists.
    ///   - time: time for the name of the file that the configuration is kept under.
    package init(_ plan: SetupPlan, group: String, time: Timestamp) {
        self.plan = plan
        self.group = geteuid() == 0 ? FileOwnership.group(named: group) : nil
        self.time = time
    }

    /// - Parameter tell: called with what was done.
    /// - Throws: `SetupNotWritten`. Then all files are as before.
    package func run(tell: (String) throws -> Void) async throws {
        var written: [Earlier] = []
        do {
            for file in plan.files {
                let earlier = try Self.earlier(file.path)
                if file.kind == .configuration, let contents = earlier.contents {
                    let kept = "\(file.path).bak-\(stamp)"
                    try FileContents.replace(kept, with: contents, ownership: earlier.ownership)
                    try tell("kept the present configuration as \(kept)")
                }
                try FileContents.replace(
                    file.path, with: Array(file.contents.utf8), ownership: ownership(file, earlier))
                written.append(earlier)
                try tell("wrote \(file.path)")
            }
            for command in plan.commands where command.isEssential { try await Self.run(command, tell) }
        } catch let error as any OperatorError {
            Self.restore(written)
            throw SetupNotWritten(cause: error.what, remedy: error.remedy, status: error.exitStatus)
        } catch {
            Self.restore(written)
            throw SetupNotWritten(
                cause: error.inOneLine, remedy: (error as? SystemError).flatMap(Self.remedy), status: .inputOutput)
        }
        for command in plan.commands where !command.isEssential {
            do {
                try await Self.run(command, tell)
            } catch let error as CommandFailed {
                // The examination that follows says what is left to do.
                Terminal.note("warning: \(error.what)")
            }
        }
    }

    private var stamp: String {
        String(time.rfc3339.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }

    private static func earlier(_ path: String) throws(SystemError) -> Earlier {
        guard access(path, F_OK) == 0 else { return Earlier(path: path) }
        return Earlier(
            path: path, contents: try FileContents.read(path, limit: 16 * 1024 * 1024),
            ownership: FileOwnership(of: path))
    }

    private func ownership(_ file: SetupPlan.File, _ earlier: Earlier) -> FileOwnership {
        if file.kind != .secret, let ownership = earlier.ownership { return ownership }
        let owner: UInt32? = geteuid() == 0 ? 0 : nil
        return switch file.kind {
        case .secret: FileOwnership(mode: group == nil ? 0o600 : 0o640, owner: owner, group: group)
        case .configuration: FileOwnership(mode: group == nil ? 0o644 : 0o640, owner: owner, group: group)
        case .publicFile: FileOwnership(mode: 0o644, owner: owner)
        }
    }

    private static func restore(_ written: [Earlier]) {
        for earlier in written.reversed() {
            if let contents = earlier.contents {
                try? FileContents.replace(earlier.path, with: contents, ownership: earlier.ownership)
            } else {
                unlink(earlier.path)
            }
        }
    }

    private static func remedy(_ error: SystemError) -> String? {
        switch error.errorNumber {
        case EACCES, EPERM: "run setup with sudo"
        case ENOSPC, EDQUOT: "free space on the file system (df -h)"
        case EROFS: "mount the file system for writing"
        default: nil
        }
    }

    private static func run(_ command: SetupPlan.Command, _ tell: (String) throws -> Void) async throws {
        try tell(command.arguments.map(ShellWord.quote).joined(separator: " "))
        var arguments = command.arguments
        if let name = arguments.first, !name.contains("/") {
            arguments[0] =
                ["/usr/bin/", "/bin/", "/usr/sbin/"].map { $0 + name }.first { access($0, X_OK) == 0 } ?? name
        }
        var program = ChildProgram(arguments)
        program.hasEnvironment = true
        program.hasOwnSession = true
        program.give(.nowhere, as: STDOUT_FILENO)
        var descriptors = ChildDescriptors()
        program.give(
            .descriptor(try descriptors.keep(dup(STDERR_FILENO), "pass on the error output")), as: STDERR_FILENO)
        let started = program
        let status = try await DedicatedThread.run(name: "command") { () -> Int32 in
            do throws(SystemError) {
                return ChildProgram.wait(for: try started.start())
            } catch {
                return 127
            }
        }
        guard status == 0 else { throw CommandFailed(command: command, status: status) }
    }
}

/// A program that a setup ran has failed.
private struct CommandFailed: OperatorError {
    var command: SetupPlan.Command
    var status: Int32

    var what: String {
        let line = command.arguments.map(ShellWord.quote).joined(separator: " ")
        return "`\(line)`, to \(command.purpose), ended with status \(status)"
    }
    var exitStatus: ExitStatus { .unavailable }
}

/// Nothing could be written, and everything is as before.
package struct SetupNotWritten: OperatorError {
    package var cause: String
    package var remedy: String?
    package var status: ExitStatus

    package var what: String { cause }
    package var meaning: String? { "all files are as they were" }
    package var exitStatus: ExitStatus { status }
}
