import Glibc
package import ModuleDialogues

extension KermitSender {
    /// Finds an installed program.
    ///
    /// - Parameters:
    ///   - programs: the acceptable programs, the best first.
    ///   - directories: the directories to search; those of `PATH` if none are given.
    /// - Throws: `FirmwareUpdateError.noSender`.
    package static func find(
        _ programs: [Program] = Program.allCases, in directories: [String]? = nil
    ) throws(FirmwareUpdateError) -> KermitSender {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        let directories = directories ?? path.split(separator: ":").map(String.init)
        for program in programs {
            for name in program.fileNames {
                for directory in directories where access("\(directory)/\(name)", X_OK) == 0 {
                    return KermitSender(program: program, path: "\(directory)/\(name)")
                }
            }
        }
        throw .noSender
    }
}
