import BeaconModel
import SystemIO
import TestSupport
import Testing

@testable import Rollout

/// The commands of the fleet that need no gateway.
@Suite(.timeLimit(.minutes(5))) struct FleetCommandTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/gateways" }

    init() throws { directory = try TemporaryDirectory() }

    private func fleet(_ arguments: String...) async throws -> (status: Int32, output: [String], errorOutput: [String])
    {
        try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), ["fleet"] + arguments)
    }

    private func git(_ arguments: String...) async throws {
        let identity = ["-c", "user.name=Operator", "-c", "user.email=operator@example.org"]
        let result = try await ChildProcess.run("git", ["-C", path] + identity + arguments)
        #expect(result.status == 0, "\(result.errorOutput)")
    }

    @Test func `A new directory is valid, and is not written over another`() async throws {
        let result = try await fleet("init", path)
        #expect(result.status == 0 && result.output.count == ExampleDirectory.files.count, "\(result)")
        let check = try await fleet("plan", path, "--check")
        #expect(check.status == 0, "\(check)")
        let shown = try await fleet("plan", path, "--show", "campus/main/1/east")
        #expect(shown.status == 0 && shown.output.contains("room = \"101\""), "\(shown)")
        let again = try await fleet("init", path)
        #expect(again.status == 64, "\(again)")
    }

    @Test func `Files that are not committed are not sent`() async throws {
        _ = try await fleet("init", path)
        let key = try directory.write("commands.key", Array(0..<32))
        let none = try await fleet("apply", path, "--yes", "--key-file", key)
        #expect(none.status == 78 && none.errorOutput.first?.contains("is not in git") == true, "\(none)")
        try await git("init", "-q")
        try await git("add", ".")
        try await git("commit", "-q", "-m", "first")
        try FileContents.replace(path + "/campus/main/1/west.toml", with: [])
        let changed = try await fleet("apply", path, "--yes", "--key-file", key)
        #expect(changed.status == 65, "\(changed)")
        #expect(
            changed.errorOutput.first?.contains("not committed: campus/main/1/west.toml") == true
                || changed.errorOutput.first?.contains("west.toml") == true, "\(changed)")
    }

    @Test func `A rollout needs a key that is secret, and somebody who agrees`() async throws {
        _ = try await fleet("init", path)
        try await git("init", "-q")
        try await git("add", ".")
        try await git("commit", "-q", "-m", "first")
        let none = try await fleet("apply", path, "--yes")
        #expect(none.status == 64 && none.errorOutput.first?.contains("no key") == true, "\(none)")
        let open = directory.path + "/open.key"
        try FileContents.replace(open, with: Array(0..<32))
        let readable = try await fleet("apply", path, "--yes", "--key-file", open)
        #expect(readable.status == 77 && readable.errorOutput.first?.contains("can be read") == true, "\(readable)")
        let key = try directory.write("commands.key", Array(0..<32))
        let silent = try await fleet("apply", path, "--key-file", key)
        #expect(silent.status == 64 && silent.errorOutput.first?.contains("nobody can be asked") == true, "\(silent)")
    }

    @Test(arguments: [["plan"], ["plan", "--check"], ["apply"], ["status"]])
    func `A directory that is not there ends with 74, and how to make one is said`(command: [String]) async throws {
        let file = try directory.write("file", "")
        for place in [path, file] {
            let arguments: [String] = ["fleet", command[0], place] + command.dropFirst()
            let result = try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), arguments)
            #expect(result.status == 74, "\(result)")
            #expect(result.errorOutput.first?.contains("the directory \(place)") == true, "\(result)")
            #expect(result.errorOutput.contains { $0.contains("beacon-gateway fleet init") }, "\(result)")
        }
    }

    @Test func `Mistakes end with 78 and their places, before anything is asked`() async throws {
        _ = try await fleet("init", path)
        try FileContents.replace(path + "/campus/main/1/east.toml", with: Array("[mqtt]\nport = 0\n".utf8))
        let result = try await fleet("plan", path)
        #expect(result.status == 78, "\(result)")
        #expect(result.errorOutput.contains { $0.contains("campus/main/1/east.toml:2:1: mqtt.port") }, "\(result)")
    }

    @Test(arguments: [
        ["apply", ".", "--stages", "flor"], ["apply", ".", "--trial", "2s"], ["plan", ".", "--only", "A/b"],
        ["status", ".", "--host", "h"], ["plan", ".", "--show", "a/b"],
    ])
    func `Wrong options end with 64`(arguments: [String]) async throws {
        let result = try await ChildProcess.run(BuiltProgram.path("beacon-gateway"), ["fleet"] + arguments)
        #expect(result.status == 64, "\(result)")
    }
}
