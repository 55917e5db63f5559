import Glibc
import SystemIO
import TestSupport
import Testing

@Suite("deploy/mosquitto: users.py", .timeLimit(.minutes(10)))
struct DeployedUsersTests {
    @Test(
        arguments: [
            ["gateway", "s"], ["gateway", "s/b/+/g"], ["gateway", "s/b//g"], ["subject", "analyst_reports"],
            ["analyst", "ann"], ["operator", DeployedBroker.key], ["matcher", "s/b/1/g"],
            ["analyst", "ann_1", "--prefix", "#"],
            ["analyst", "ann_1", "--below", "s/+"], ["gateway", "s/b/1/g", "--below", "s"],
        ])
    func `A name that would own others' topics is none`(arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let result = try await DeployedBroker.users(directory.path, ["add"] + arguments)
        #expect(result.status == 64 && result.errorOutput.first?.hasPrefix("error: ") == true, "\(result)")
        #expect(try await DeployedBroker.users(directory.path, ["list"]).output == [])
    }

    @Test func `A user who is added again keeps the password, one who is removed is gone, and a damaged file stays`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let made = try await DeployedBroker.users(directory.path, ["add", "analyst", "ann_1", "ben_1"])
        #expect(made.output.map { $0.split(separator: " ").first } == ["ann_1", "ben_1"])
        #expect(try await DeployedBroker.users(directory.path, ["add", "operator", "ann_1"]).output == [])
        #expect(try await DeployedBroker.users(directory.path, ["remove", "ben_1"]).status == 0)
        #expect(try await DeployedBroker.users(directory.path, ["list"]).output == ["operator        ann_1"])
        let shown = try await DeployedBroker.users(directory.path, ["show", "ann_1"]).output
        #expect(shown.first == "publishes  beacons/v1/+/+/+/+/command/+")
        #expect(shown.contains("subscribes beacons/v1/+/+/+/+/reply/+") && shown.count == 7)
        #expect(try await DeployedBroker.users(directory.path, ["show", "ben_1"]).status == 64)
        #expect(try await DeployedBroker.users(directory.path, ["remove", "ben_1"]).status == 64)
        let path = try directory.write("users.json", "{")
        #expect(try await DeployedBroker.users(directory.path, ["add", "analyst", "ann_1"]).status == 65)
        #expect(try FileContents.read(path, limit: 10).count == 1)
    }

    @Test func `What isn't text, and a link in place of what is written, do no harm`() async throws {
        let directory = try TemporaryDirectory()
        let binary = directory.path + "/password"
        try FileContents.replace(binary, with: [0xFF, 0xFE, 0x0A])
        let add = ["add", "analyst", "ann_1"]
        #expect(try await DeployedBroker.users(directory.path, add + ["--password-file", binary]).status == 65)
        try FileContents.replace(binary, with: [0x61, 0, 0x62, 0x0A])
        #expect(try await DeployedBroker.users(directory.path, add + ["--password-file", binary]).status == 65)
        let victim = try directory.write("victim", "somebody else's")
        try #require(symlink(victim, directory.path + "/users.json.new") == 0)
        #expect(try await DeployedBroker.users(directory.path, add).status == 0)
        #expect(try FileContents.read(victim, limit: 100).count == 15)
        _ = try directory.write("users.json", String(repeating: "[", count: 100_000))
        #expect(try await DeployedBroker.users(directory.path, ["list"]).status == 65)
    }
}
