import ArgumentParser
import BeaconModel
import CommandSupport
import Glibc
import OperatorText
import Rollout
import SystemIO

struct FleetInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes an example directory.",
        discussion: """
            Writes fleet.toml, keys for all gateways and for a building, and a file of one gateway, into a new or empty \
            directory. Change them, then: git init, git add, git commit.
            """)

    @Argument(help: ArgumentHelp("The directory to write.", valueName: "directory"))
    var directory: String

    func run() async throws {
        try await Terminal.run {
            if access(directory, F_OK) == 0, try !FleetFiles.read(directory).isEmpty {
                throw NotEmpty(directory: directory)
            }
            for file in ExampleDirectory.files {
                let path = directory + "/" + file.path
                try Self.createDirectory(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
                try FileContents.replace(path, with: Array(file.text.utf8))
                try Terminal.print(path)
            }
        }
    }

    private static func createDirectory(_ path: String) throws {
        if access(path, F_OK) == 0 { return }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try createDirectory(String(path[..<slash])) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw SystemError("create the directory \(path)", errorNumber: errno)
        }
    }
}

private struct NotEmpty: OperatorError {
    var directory: String
    var what: String { "\(directory) has .toml files already" }
    var meaning: String? { "nothing was written" }
    var remedy: String? { "name a new directory" }
    var exitStatus: ExitStatus { .usage }
}
